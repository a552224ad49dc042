import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

async function listen(answer: ScriptedAnswer) {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** How a server of the legacy era may fail on a message without a session. */
const failures: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  "500": (response) => response.writeHead(500).end("TypeError: undefined is not a function"),
  "502 of a gateway": (response) => response.writeHead(502).end("<title>502 Bad Gateway</title>"),
  "504 of a gateway": (response) => response.writeHead(504).end(),
  "500 with a JSON-RPC error": (response) =>
    json(response, { jsonrpc: "2.0", id: null, error: { code: -32_603, message: "no" } }, {}, 500),
  "a reset": (response) => response.destroy(),
  "a body that breaks off": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"jsonrpc":', () => response.destroy());
  },
  "a stream that ends": (response) => events(response).end(),
  "an answer that is not JSON": (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("Internal error"),
  "no content": (response) => response.writeHead(202).end(),
};

test.each(Object.entries(failures))(
  "a legacy server that fails on server/discover by %s receives initialize",
  async (_, fail) => {
    const server = await listen(
      withSessions(({ message: { method } }, response) => {
        if (method !== "server/discover") return false;
        fail(response);
      }),
    );
    const client = await connectOverHttp(server, { era: "auto" });
    onTestFinished(() => client.close());
    expect(client.era).toBe("legacy");
    expect(server.methods.slice(0, 2)).toEqual(["server/discover", "initialize"]);
  },
);

test.each([{ probeTimeoutMs: 100 }, { timeoutMs: 2_000 }])(
  "a legacy server that is silent on server/discover receives initialize: %j",
  async (times) => {
    const server = await listen(
      withSessions(({ message: { method } }) => (method === "server/discover" ? undefined : false)),
    );
    const client = await connectOverHttp(server, { era: "auto", ...times });
    onTestFinished(() => client.close());
    expect(client.era).toBe("legacy");
  },
);

test("the command lists the tools of a server that fails on server/discover", async () => {
  const server = await listen(
    withSessions(({ message: { id, method } }, response) => {
      if (method === "server/discover") return response.writeHead(500).end();
      if (method !== "tools/list") return false;
      return json(response, result(id, { tools: [{ name: "first", inputSchema: {} }] }));
    }),
  );
  const command = new CliRun(openFixture(), { args: ["mcp", "tools", server.url] });
  expect([await command.exited, command.errors]).toEqual([0, ""]);
  expect(command.output).toContain("first");
});

test.each(["initialize", "server/discover"])(
  "when both questions fail, the one that the server answers is shown, or the last: not %s",
  async (method) => {
    const server = await listen(({ message }, response) =>
      message.method === method
        ? response.writeHead(500).end("down")
        : response.writeHead(400).end("no key"),
    );
    const words = method === "initialize" ? "HTTP 500 down" : "HTTP 400 no key";
    await expect(connectOverHttp(server, { era: "auto" })).rejects.toThrow(words);
  },
);

test("a modern server with a transient failure is used in the modern era", async () => {
  let isFailing = true;
  const server = await listen(({ message: { id, method } }, response) => {
    if (method !== "server/discover" || isFailing) {
      isFailing = method !== "initialize";
      return response.writeHead(method === "initialize" ? 400 : 500).end();
    }
    const capabilities = { tools: {} };
    return json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities }));
  });
  const client = await connectOverHttp(server, { era: "auto" });
  onTestFinished(() => client.close());
  expect(client.era).toBe("modern");
});
