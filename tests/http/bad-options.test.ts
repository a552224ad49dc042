import { McpServer } from "@idewire/core/server";
import { type ListenMcpOptions, listenMcp } from "@idewire/node-server";
import { describe, expect, test } from "vitest";
import { carriers, type EndpointOptions } from "../src/http-client.ts";

const server = new McpServer<unknown>({ name: "s", version: "1" });
const expectedLimits =
  "maxSessions, maxBodyBytes, maxOpenRequests, sessionIdleMs, keepAliveMs" as const;

describe.each(Object.entries(carriers))("of the %s", (_, carry) => {
  const open = async (options: object) => {
    const all = { server, context: undefined, ...options } as EndpointOptions;
    const endpoint = await carry(all);
    await endpoint.close();
  };

  test.each<[string, object, string]>([
    [
      "an unknown limit",
      { limits: { maxSession: 1 } },
      `limits: unknown option "maxSession"; the options are ${expectedLimits}`,
    ],
    [
      "a limit named after a member of every object",
      { limits: { toString: 1 } },
      `limits: unknown option "toString"; the options are ${expectedLimits}`,
    ],
    [
      "a time beyond the range of timers",
      { limits: { keepAliveMs: Number.POSITIVE_INFINITY } },
      "limits.keepAliveMs: expected at most 2147483647, got Infinity",
    ],
    ["an unknown mode", { legacy: "on" }, "legacy: expected sessions, stateless, off, got on"],
    [
      "a path that no request can have",
      { ssePath: "sse" },
      'ssePath: expected a path such as "/mcp", got "sse"',
    ],
  ])("%s is refused with a message", async (_name, options, message) => {
    await expect(open(options)).rejects.toMatchObject({ code: "invalid-argument", message });
  });

  test("an unknown option is refused with the known ones", async () => {
    await expect(open({ allowedOrigin: ["own"] })).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringMatching(/: unknown option "allowedOrigin"; .*allowedOrigins/),
    });
  });

  test("a limit of any number but those of timers may be infinite", async () => {
    const limits = { maxSessions: Number.POSITIVE_INFINITY, sessionIdleMs: Number.MAX_VALUE };
    await expect(open({ limits })).resolves.toBe(undefined);
  });
});

const listening = (options: Partial<ListenMcpOptions<unknown>>) =>
  listenMcp(server, { access: "anyone", ...options } as ListenMcpOptions<unknown>);

test.each<[Partial<ListenMcpOptions<unknown>>, string]>([
  [{ path: "mcp" }, 'path: expected a path such as "/mcp", got "mcp"'],
  [{ path: "/mcp?x" }, 'path: expected a path such as "/mcp", got "/mcp?x"'],
  [{ port: 65_536 }, "port: expected 0 to 65535, got 65536"],
  [{ port: -1 }, "port: expected 0 to 65535, got -1"],
  [{ port: 0.5 }, "port: expected 0 to 65535, got 0.5"],
  [
    { host: "203.0.113.1", allowedHosts: ["203.0.113.1"] },
    "203.0.113.1 is not an address of this machine",
  ],
])("a listener with %j is refused with a message", async (options, message) => {
  await expect(listening(options)).rejects.toMatchObject({ code: "invalid-argument", message });
});

test("an occupied port is reported", async () => {
  const first = await listening({});
  await expect(listening({ port: first.port })).rejects.toMatchObject({
    code: "port-in-use",
    message: `Port ${first.port} of 127.0.0.1 is in use by another program; choose another`,
  });
  await first.close();
});

test.each<[string, readonly Uint8Array[], string]>([
  ["no keys", [], "got none"],
  ["a short key", [new Uint8Array(32), new Uint8Array(8)], "got 8 bytes in key 2"],
])("a seal of %s is refused before any question is sent", (_, keys, what) => {
  const make = () => new McpServer({ name: "s", version: "1", stateKeys: keys });
  expect(make).toThrow(`stateKeys: expected keys of 32 bytes, ${what}`);
});
