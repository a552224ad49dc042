import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { listenForRelay, streamEnds } from "../src/stdio-pairs.ts";
import { serverWebSocketPair } from "../src/transport-pairs.ts";
import { type SdkTransport, toSdkTransport } from "./sdk-transport.ts";
import { type Sdk, sdks } from "./sdks.ts";

/** The two ends of a conversation, one of them theirs. */
export interface Ends {
  readonly ours: Transport;
  readonly theirs: SdkTransport;
}

interface Medium {
  readonly name: string;
  /** Their client, and our server. */
  toTheirClient(sdk: Sdk): Promise<Ends>;
  /** Their server, and our client. */
  toTheirServer(sdk: Sdk): Promise<Ends>;
}

const memory = async (): Promise<Ends> => {
  const [ours, theirs] = createMemoryTransportPair();
  return { ours, theirs: toSdkTransport(theirs) };
};

/** Neither SDK has a WebSocket server, and 2.x has no client either: these carry their messages. */
const media: readonly Medium[] = [
  { name: "memory", toTheirClient: memory, toTheirServer: memory },
  {
    name: "ws",
    async toTheirClient() {
      const { left, right } = await serverWebSocketPair();
      return { ours: left, theirs: toSdkTransport(right) };
    },
    async toTheirServer() {
      const { left, right } = await serverWebSocketPair();
      return { ours: right, theirs: toSdkTransport(left) };
    },
  },
  {
    // Their own transports, framing and child process.
    name: "stdio",
    async toTheirClient(sdk) {
      const { command, args, accepted } = await listenForRelay();
      const theirs = sdk.spawnStdio({ command, args });
      await theirs.start();
      // It is already started; their client would start it again.
      theirs.start = async () => undefined;
      const socket = await accepted;
      return { ours: createStdioTransport(socket, socket), theirs };
    },
    async toTheirServer(sdk) {
      const { left, right } = streamEnds();
      return {
        ours: createStdioTransport(left.input, left.output),
        theirs: sdk.serveStdio(right.input, right.output),
      };
    },
  },
];

/** Each official SDK over each transport. */
export const matrix: readonly (readonly [title: string, sdk: Sdk, medium: Medium])[] = sdks.flatMap(
  (sdk) => media.map((medium) => [`${sdk.name} over ${medium.name}`, sdk, medium] as const),
);
