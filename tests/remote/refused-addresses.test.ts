import { McpClient } from "@idewire/core";
import { createHttpTransport, type HttpTransportOptions, httpWithSse } from "@idewire/remote";
import { expect, test } from "vitest";
import { events, ScriptedHttpServer, type SeenRequest } from "../src/scripted-http-server.ts";

async function connect(url: string, options: HttpTransportOptions = {}) {
  const transport = createHttpTransport(url, { sse: httpWithSse, ...options });
  return McpClient.connect(transport, { info: { name: "me", version: "1" } });
}

test("a port that fetch refuses is unreachable: nothing has been sent", async () => {
  await expect(connect("http://127.0.0.1:6667/mcp")).rejects.toMatchObject({
    ...{ code: "unreachable", message: "initialize: the server cannot be reached: bad port" },
  });
});

test.each([
  ["an address with a password", "http://me:hidden-word@x.test/mcp", {}, "…@x.test"],
  ["another kind of address with a password", "ftp://me:hidden-word@x.test/", {}, "…@x.test"],
  ["a header of two lines", "http://x.test/", { "X-Key": "hidden-word\nmore" }, "X-Key"],
  ["a header beyond Latin-1", "http://x.test/", { "X-Key": "hidden-word \u0100" }, "X-Key"],
])("%s is refused before anything is sent, and not shown", async (_, url, headers, words) => {
  const error = await connect(url, { headers }).catch((reason) => reason);
  expect(error).toMatchObject({
    ...{ code: "invalid-argument", message: expect.stringContaining(words) },
  });
  expect(`${error.stack}${error.cause}`).not.toContain("hidden-word");
});

test("an address with a password that the server names is not taken", async () => {
  const withPassword = ({ headers, path }: SeenRequest) => `http://me:word@${headers.host}${path}`;
  await using redirecting = await new ScriptedHttpServer((seen, response) =>
    response.writeHead(308, { location: withPassword(seen) }).end(),
  ).listen();
  await expect(connect(redirecting.url)).rejects.toMatchObject({
    ...{ code: "unreachable", message: expect.stringContaining("redirects to") },
  });
  await using streaming = await new ScriptedHttpServer((seen, response) =>
    seen.method === "GET"
      ? events(response).write(`event: endpoint\ndata: ${withPassword(seen)}\n\n`)
      : response.writeHead(405).end(),
  ).listen();
  await expect(connect(streaming.url)).rejects.toMatchObject({
    ...{ code: "protocol", message: expect.stringContaining("not an address of its origin") },
  });
});
