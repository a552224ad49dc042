import { createMemoryTransportPair, type Transport } from "@idewire/core";
import { serverWebSocketPair } from "../transport-pairs.ts";
import { type Sdk, sdks } from "./sdks.ts";

export interface Pair {
  readonly server: Transport;
  readonly client: Transport;
}

const media: readonly (readonly [name: string, make: () => Promise<Pair>])[] = [
  [
    "memory",
    async () => {
      const [server, client] = createMemoryTransportPair();
      return { server, client };
    },
  ],
  [
    "ws",
    async () => {
      const { left, right } = await serverWebSocketPair();
      return { server: left, client: right };
    },
  ],
];

/** Each official SDK over each transport. */
export const matrix: readonly (readonly [
  title: string,
  sdk: Sdk,
  makePair: () => Promise<Pair>,
])[] = sdks.flatMap((sdk) =>
  media.map(([name, makePair]) => [`${sdk.name} over ${name}`, sdk, makePair] as const),
);
