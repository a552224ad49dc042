import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { McpClient } from "@idewire/core/client";
import { createHttpTransport, type HttpTransportOptions } from "@idewire/http";
import { expect, test } from "vitest";
import {
  events,
  json,
  result,
  ScriptedHttpServer,
  type SeenRequest,
} from "../src/scripted-http-server.ts";

async function connect(url: string, options: HttpTransportOptions = {}) {
  const transport = createHttpTransport(url, { ...options });
  return McpClient.connect(transport, { name: "me", version: "1", era: "legacy" });
}

test("a port that fetch refuses is unreachable: nothing has been sent", async () => {
  await expect(connect("http://127.0.0.1:6667/mcp")).rejects.toMatchObject({
    ...{
      code: "unreachable",
      message: "initialize at http://127.0.0.1:6667/mcp: the server cannot be reached: bad port",
    },
  });
});

test("a server without TLS is unreachable: nothing has been sent", async () => {
  const plain = createServer((socket) => {
    socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await once(plain.listen(0, "127.0.0.1"), "listening");
  const { port } = plain.address() as AddressInfo;
  await expect(connect(`https://127.0.0.1:${port}/mcp`)).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("the server cannot be reached: it does not speak TLS: "),
  });
  plain.close();
});

test.each(["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "DEPTH_ZERO_SELF_SIGNED_CERT"])(
  "a server whose certificate fails with %s is unreachable",
  async (code) => {
    const cause = Object.assign(new Error("not to be trusted"), { code });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const failed = connect("https://x.test/mcp", { fetch });
    await expect(failed).rejects.toMatchObject({ code: "unreachable" });
  },
);

test("a method that HTTP cannot name is refused before anything is sent", async () => {
  await using server = await new ScriptedHttpServer(({ message: { id } }, response) =>
    json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities: {} })),
  ).listen();
  const client = await McpClient.connect(createHttpTransport(server.url), {
    ...{ name: "me", version: "1" },
  });
  for (const method of ["日本", "a\nb"]) {
    await expect(client.request(method, {})).rejects.toMatchObject({
      ...{ code: "invalid-argument", message: expect.stringContaining("mcp-method") },
    });
  }
  expect(server.methods).toEqual(["server/discover"]);
  client.close();
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

test("an address with a password that the server names is rejected", async () => {
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
