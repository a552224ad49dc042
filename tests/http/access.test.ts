import { McpServer } from "@idewire/core/server";
import { createMcpHandler, type McpHandlerOptions } from "@idewire/http";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { carriers, posting, request } from "../src/http-client.ts";

const makeServer = () => new McpServer<unknown>({ name: "s", version: "1" });
const expected = 'expected token, authorize, resourceServer, or access: "anyone", got';

test.each<[object, string]>([
  [{}, `${expected} none`],
  [{ token: "x".repeat(16), access: "anyone" }, `${expected} token and access`],
  [{ token: undefined }, "token: expected 16 bytes or more, got undefined"],
  [{ token: "short" }, "token: expected 16 bytes or more, got 5"],
  [{ access: "everyone" }, 'access: expected "anyone", got "everyone"'],
  [{ authorize: undefined }, "authorize: expected a function, got undefined"],
  [{ resourceServer: {} }, "resourceServer: expected what protectResource returns, got object"],
])("an endpoint with %j is refused with a message", async (options, message) => {
  const given = options as McpHandlerOptions<unknown>;
  const refusal = { code: "invalid-argument", message };
  expect(() => createMcpHandler(makeServer(), given)).toThrow(expect.objectContaining(refusal));
  await expect(listenMcp(makeServer(), given)).rejects.toMatchObject(refusal);
});

test("a handler with a token admits any client that presents it", async () => {
  const token = "a secret of 16 bytes";
  const handler = createMcpHandler(makeServer(), { token });
  onTestFinished(() => handler.close());
  const statusOf = async (authorization: string) => {
    const init = posting(request(1, "ping"), { authorization });
    return (await handler.fetch(new Request("http://127.0.0.1/mcp", init))).status;
  };
  expect(await statusOf(`Bearer ${token}`)).toBe(400);
  for (const wrong of [`Bearer ${token}x`, "Bearer a secret of 16 byteZ", "", "Bearer "]) {
    expect(await statusOf(wrong)).toBe(401);
  }
});

test("a handler that was closed answers 503", async () => {
  const handler = createMcpHandler(makeServer(), { access: "anyone" });
  await handler[Symbol.asyncDispose]();
  const post = new Request("http://127.0.0.1/mcp", posting(request(1, "ping")));
  expect((await handler.fetch(post)).status).toBe(503);
});

const page = "https://app.example";
const initialize = request(1, "initialize", { protocolVersion: "2025-11-25" });

test.each(Object.entries(carriers))(
  "over the %s a page of an allowed origin is answered, and its browser shows it that",
  async (_, carry) => {
    const authorize = () => ({ status: 401 as const, message: "Who?" });
    const open = async (more: object) => {
      const options = { server: makeServer(), allowedOrigins: [page], ...more };
      const endpoint = await carry(options);
      onTestFinished(() => endpoint.close());
      return endpoint;
    };
    const { send } = await open({ authorize });
    const minimal = { "access-control-request-method": "POST", origin: page };
    const wanted = { ...minimal, "access-control-request-headers": "authorization,content-type" };
    const preflight = await send({ method: "OPTIONS", headers: wanted });
    expect([preflight.status, await preflight.text()]).toEqual([200, ""]);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(page);
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "authorization,content-type",
    );
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST, GET, DELETE");
    const foreign = { ...wanted, origin: "https://evil.example" };
    expect((await send({ method: "OPTIONS", headers: foreign })).status).toBe(403);
    const shown = "mcp-session-id, www-authenticate";
    const refusing = { sendTo: send, status: 401 };
    const serving = { sendTo: (await open({})).send, status: 200 };
    for (const { sendTo, status } of [refusing, serving]) {
      const answer = await sendTo(posting(initialize, { origin: page }));
      expect(answer.status).toBe(status);
      expect(answer.headers.get("access-control-allow-origin")).toBe(page);
      expect(answer.headers.get("access-control-expose-headers")).toBe(shown);
      const own = await sendTo(posting(initialize));
      expect(own.headers.get("access-control-allow-origin")).toBeNull();
    }
  },
);

test("a handler is created without a timer or a random value, as at module scope of a Worker", async () => {
  const refuse = () => {
    throw new Error("Not in the global scope");
  };
  for (const name of ["setTimeout", "setInterval", "queueMicrotask", "fetch"]) {
    vi.stubGlobal(name, refuse);
  }
  vi.stubGlobal("crypto", { getRandomValues: refuse, randomUUID: refuse, subtle: undefined });
  let handler: ReturnType<typeof createMcpHandler>;
  try {
    handler = createMcpHandler(makeServer(), { access: "anyone", ssePath: "/sse" });
  } finally {
    vi.unstubAllGlobals();
  }
  onTestFinished(() => handler.close());
  const answer = await handler.fetch(new Request("http://127.0.0.1/mcp", posting(initialize)));
  expect(answer.headers.get("mcp-session-id")).not.toBeNull();
});
