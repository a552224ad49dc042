import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const right = { content: [{ type: "text", text: "right" }] };

/** The encoding of a body: its headers and its bytes. */
type Encode = (json: string) => {
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
};

const encodings: Readonly<Record<string, Encode>> = {
  "JSON after a byte order mark": (json) => ({
    headers: { "content-type": "application/json" },
    body: `\uFEFF${json}`,
  }),
  "events after a byte order mark": (json) => ({
    headers: { "content-type": "text/event-stream" },
    body: `\uFEFFdata: ${json}\n\n`,
  }),
  "an event whose JSON has a byte order mark": (json) => ({
    headers: { "content-type": "text/event-stream" },
    body: `data: \uFEFF${json}\n\n`,
  }),
  "gzip that was not requested": (json) => ({
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: gzipSync(json),
  }),
  "events in gzip": (json) => ({
    headers: { "content-type": "text/event-stream", "content-encoding": "gzip" },
    body: gzipSync(`data: ${json}\n\n`),
  }),
};

test.each(Object.entries(encodings))("an answer in %s is read", async (_, encode) => {
  const server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const { headers, body } = encode(JSON.stringify({ jsonrpc: "2.0", id, result: right }));
      return response.writeHead(200, headers).end(body);
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = await connectOverHttp(server, { timeoutMs: 5_000 });
  onTestFinished(() => client.close());
  expect(await client.callTool("a")).toMatchObject(right);
});
