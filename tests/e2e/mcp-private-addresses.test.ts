import dns from "node:dns";
import { expect, onTestFinished, test, vi } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

/** Makes DNS lookups return these addresses one after another; the last answer repeats. */
function resolveTo(...answers: readonly (readonly string[])[]): void {
  const left = [...answers];
  const lookup = vi.spyOn(dns, "lookup") as unknown as { mockImplementation(fake: unknown): void };
  lookup.mockImplementation((_: string, __: object, done: (...found: unknown[]) => void) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

test("a command stays with the public address of a server that also names a private one", async () => {
  const server = await new ScriptedHttpServer(
    withSessions((_, response) => {
      response.setHeader("connection", "close");
      return false;
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const url = `http://mcp.example.com:${server.port}/mcp`;
  const call = () =>
    new CliRun(openFixture(), { args: ["mcp", "tools", "--era", "legacy", url] }).exited;
  resolveTo(["127.0.0.1"]);
  await call();
  expect(server.methods).toContain("tools/list");
  server.seen.length = 0;
  resolveTo(["127.0.0.1"], ["127.0.0.1", "192.0.2.1"]);
  expect(await call()).toBe(1);
  expect(server.methods).toEqual(["initialize"]);
});
