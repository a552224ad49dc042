// Runs in a page: the server of comments over a workspace in memory, and the clients of the official SDKs.
import { createMemoryTransportPair } from "@idewire/core/rpc";
import {
  CommentStore,
  createCommentServer,
  createMemoryWorkspace,
  createSourceReader,
} from "@idewire/paired-comments";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { type AnyClient, source, transcribe } from "./comments-transcript.ts";
import { type SdkTransport, toSdkTransport } from "./sdk-transport.ts";

const info = { name: "official", version: "1.0.0" };

async function readGrammar(fileName: string): Promise<Uint8Array> {
  const response = await fetch(`./grammars/${fileName}`);
  return new Uint8Array(await response.arrayBuffer());
}

function serve(): SdkTransport {
  const workspace = createMemoryWorkspace({ "src/auth.js": source });
  const reader = createSourceReader(readGrammar);
  const [theirs, ours] = createMemoryTransportPair();
  const { server } = createCommentServer({ store: new CommentStore({ workspace, reader }) });
  server.connect(ours, { context: undefined });
  return toSdkTransport(theirs);
}

type Client = ClientV1 | ClientV2;

function createClient(name: string): Client {
  if (name === "1.32") return new ClientV1(info);
  const mode = name === "2.4, legacy" ? "legacy" : ({ pin: "2026-07-28" } as const);
  return new ClientV2(info, { versionNegotiation: { mode } });
}

Object.assign(globalThis, {
  async transcribeWith(name: string): Promise<readonly unknown[]> {
    const client = createClient(name);
    await client.connect(serve() as unknown as Parameters<ClientV1["connect"]>[0]);
    const written = await transcribe(client as unknown as AnyClient);
    await client.close();
    return written;
  },
});
