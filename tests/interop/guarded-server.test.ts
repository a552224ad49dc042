import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { guard } from "./guarded-server.ts";
import { listenTheirs } from "./http-servers.ts";
import { browsingPerson } from "./real-authorization-server.ts";

test("a person logs in to a server behind the bearer check of the official SDK", async () => {
  const server = await listenTheirs("statelessV1", () => {
    const made = new McpServer({ name: "theirs", version: "1" });
    made.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello" }] }));
    return made;
  });
  const guarded = await guard(server.url);
  const fixture = openFixture();
  const login = new CliRun(fixture, { args: ["mcp", "login", guarded.url] });
  await expect.poll(() => login.errors).toMatch(/visit\s+http\S+\n/);
  const [, address = ""] = /visit\s+(http\S+)\n/.exec(login.errors) ?? [];
  const { visit } = await browsingPerson(new URL(address).searchParams.get("redirect_uri") ?? "");
  expect(await (await fetch(await visit(address))).text()).toContain("You are logged in");
  expect([await login.exited, login.errors]).toEqual([0, expect.stringContaining("visit")]);
  const called = new CliRun(fixture, { args: ["mcp", "call", "hello", guarded.url] });
  expect([await called.exited, called.output]).toEqual([0, "Hello\n"]);
  expect([...guarded.admitted]).toEqual(["ann"]);
  await server.close();
});
