// A server in a process of its own, so that its memory is not mixed with its clients'.
import { readFileSync } from "node:fs";
import { claudeCode } from "@idewire/core";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { defineTool, fromJsonSchema, textResult } from "@idewire/core/server";
import { fakeEditorHost } from "@idewire/core/testing";
import { listenIde } from "@idewire/node-server";

/** What the server says when it listens. */
export interface SoakAddress {
  readonly url: string;
  readonly token: string;
}

/** What it says of itself when it is asked, garbage collected. */
export interface SoakState {
  readonly rss: number;
  readonly heap: number;
  readonly sessions: number;
}

const echo = defineTool<Readonly<Record<string, unknown>>>({
  name: "echo",
  input: fromJsonSchema(
    { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    jsonSchemaValidator,
  ),
  run: ({ text }) => textResult(String(text)),
});

const listener = await listenIde({
  host: fakeEditorHost(),
  dialects: [
    { ...claudeCode, createTools: (...args) => [echo, ...claudeCode.createTools(...args)] },
  ],
  limits: { maxConnections: 6_000 },
});
const [endpoint] = listener.endpoints;
if (endpoint === undefined) throw new Error("listenIde opened nothing");
const lock = JSON.parse(readFileSync(endpoint.lockFile, "utf8")) as { readonly authToken: string };

process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed, sessions: listener.sessions.size } satisfies SoakState);
});
process.once("disconnect", () => process.exit(0));
process.send?.({ url: endpoint.url, token: lock.authToken } satisfies SoakAddress);
