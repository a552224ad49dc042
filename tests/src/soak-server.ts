// A server in a separate process, so that its memory is not mixed with its clients'.
import { readFileSync } from "node:fs";
import { claudeCode } from "@idewire/core";
import { type BoundTool, plainInput, textResult } from "@idewire/core/internal";
import { fakeEditorHost } from "@idewire/core/testing";
import { listenIde } from "@idewire/node-server";

/** The server's message when it listens. */
export interface SoakAddress {
  readonly url: string;
  readonly token: string;
}

/** Its memory report, after garbage collection. */
export interface SoakState {
  readonly rss: number;
  readonly heap: number;
  readonly sessions: number;
}

const echo: BoundTool = {
  name: "echo",
  input: plainInput<{ readonly text: string }>({ text: { type: "string" } }),
  run: async (args) => textResult((args as { readonly text: string }).text),
};

const listener = await listenIde(fakeEditorHost(), {
  dialects: [
    { ...claudeCode, createTools: (...args) => [echo, ...claudeCode.createTools(...args)] },
  ],
  limits: { maxConnections: 6_000 },
});
const [endpoint] = listener.endpoints;
if (endpoint?.lockFile === undefined) throw new Error("listenIde opened nothing");
const lock = JSON.parse(readFileSync(endpoint.lockFile, "utf8")) as { readonly authToken: string };

process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed, sessions: listener.sessions.size } satisfies SoakState);
});
process.once("disconnect", () => process.exit(0));
process.send?.({ url: endpoint.url, token: lock.authToken } satisfies SoakAddress);
