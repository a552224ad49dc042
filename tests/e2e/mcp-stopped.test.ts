import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

/** Far below the limits of the waits themselves. */
const AT_ONCE = 10_000;

const capabilities = {
  ...{ tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } },
  ...{ completions: {}, logging: {} },
};
const hello = {
  legacy: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } },
  modern: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities },
};
const firstRequest = { legacy: "initialize", modern: "server/discover" } as const;
const empty = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

type Era = keyof typeof hello;

/** A server that never answers one of its methods. */
function silentOn(silent: string, era: Era): ScriptedAnswer {
  return withSessions(({ message: { id, method } }, response) => {
    if (method === silent) return;
    if (method === firstRequest[era]) return json(response, result(id, hello[era]));
    return method?.endsWith("/list") ? json(response, result(id, empty)) : false;
  });
}

async function open(answer: ScriptedAnswer) {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const waits: readonly (readonly [args: string, silent: string, era: Era])[] = [
  ["tools", "initialize", "legacy"],
  ["tools", "server/discover", "modern"],
  ["tools", "tools/list", "legacy"],
  ["call t", "tools/call", "legacy"],
  ["call t", "tools/call", "modern"],
  ["resources", "resources/list", "legacy"],
  ["resources", "resources/templates/list", "legacy"],
  ["read a:b", "resources/read", "legacy"],
  ["prompts", "prompts/list", "legacy"],
  ["prompt p", "prompts/get", "legacy"],
  ["complete p a=b", "completion/complete", "legacy"],
  ["listen", "subscriptions/listen", "modern"],
  ["listen --resource a:b", "subscriptions/listen", "modern"],
  ["listen --resource a:b", "resources/subscribe", "legacy"],
  ["login", "initialize", "legacy"],
  ["login", "tools/list", "legacy"],
  ["login", "tools/list", "modern"],
];
const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

test.each(waits.flatMap((row) => signals.map((signal) => [...row, ...signal] as const)))(
  "a signal ends each action, whichever request its server leaves unanswered: %s, %s (%s, %s)",
  { timeout: AT_ONCE },
  async (args, silent, era, signal, code) => {
    const server = await open(silentOn(silent, era));
    const words = ["mcp", ...args.split(" "), "--era", era, server.url];
    const command = new CliRun(openFixture(), { args: words });
    await expect.poll(() => server.methods).toContain(silent);
    command.signal(signal);
    expect([await command.exited, command.output, command.errors]).toEqual([code, "", ""]);
  },
);

/** Never answers requests to a path; counts them, and those that were aborted. */
function holdRequests(server: ScriptedHttpServer, path: string) {
  const { answer } = server;
  const held = { receivedCount: 0, abortedCount: 0 };
  server.answer = (seen, response) => {
    if (!seen.path.startsWith(path)) return answer(seen, response);
    held.receivedCount += 1;
    return response.once("close", () => {
      held.abortedCount += 1;
    });
  };
  return held;
}

const METADATA = "/.well-known/oauth-authorization-server";

test("a pending request for authorization ends with the command", {
  timeout: AT_ONCE,
}, async () => {
  const servers = await new AuthorizationFixture().listen();
  onTestFinished(() => servers[Symbol.asyncDispose]());
  const { server, issuer } = servers;
  const fixture = openFixture();
  const start = (action: string) => new CliRun(fixture, { args: ["mcp", action, server.url] });
  const interrupt = async (action: string, from: ScriptedHttpServer, path: string) => {
    const { answer } = from;
    const held = holdRequests(from, path);
    const command = start(action);
    await expect.poll(() => held.receivedCount).toBe(1);
    command.signal("SIGINT");
    expect(await command.exited).toBe(130);
    await expect.poll(() => held.abortedCount).toBe(1);
    from.answer = answer;
    return command;
  };
  await interrupt("login", server, "/.well-known/oauth-protected-resource");
  await interrupt("login", issuer, METADATA);

  const login = start("login");
  const pattern = /visit\s+(http\S+)\n/;
  await expect.poll(() => login.errors).toMatch(pattern);
  await fetch(pattern.exec(login.errors)?.[1] ?? "");
  expect(await login.exited).toBe(0);
  const logout = await interrupt("logout", issuer, "/revoke");
  expect(logout.errors).toContain("were not revoked there: ");
});
