import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** A server that announces every feature, and has only empty lists. */
const emptyServer = `
const lists = { tools: "tools/list", prompts: "prompts/list", resources: "resources/list", resourceTemplates: "resources/templates/list" };
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} }, serverInfo: { name: "s", version: "1" } },
  "completion/complete": { completion: { values: [] } },
  ...Object.fromEntries(Object.entries(lists).map(([member, method]) => [method, { [member]: [] }])),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, method } = JSON.parse(text);
  const result = results[method];
  const error = { code: -32601, message: "no" };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
});`;

async function serveTools(): Promise<string> {
  const server = new McpServer({ name: "s", version: "1" });
  for (const name of ["read_a", "read_b", "write_a"]) server.tool(name, {}, () => "done");
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  return listener.url;
}

async function run(...args: readonly string[]) {
  const started = new CliRun(openFixture(), { args: ["mcp", ...args] });
  return { code: await started.exited, output: started.output, errors: started.errors };
}

describe("an empty list is reported as empty, on stderr", () => {
  test.each([
    [["tools"], "The server has no tools."],
    [["prompts"], "The server has no prompts."],
    [["resources"], "The server has no resources."],
    [["complete", "greet", "name=A"], "The server suggests no values."],
  ])("%j", async (action, words) => {
    const { code, output, errors } = await run(
      ...action,
      "--",
      process.execPath,
      "-e",
      emptyServer,
    );
    expect([code, output, errors]).toEqual([0, "", `${words}\n`]);
    const json = await run(...action, "--json", "--", process.execPath, "-e", emptyServer);
    expect(json).toMatchObject({ code: 0, errors: `${words}\n` });
  });
});

describe("a glob that matches no tool is named", () => {
  test.each([
    [["--tools", "nothing*"], "", ['--tools "nothing*"'], "No tool is left"],
    [["--hide-tools", "delete_*"], "read_a\nread_b\nwrite_a\n", ['--hide-tools "delete_*"']],
    [["--tools", "read_a", "--tools", "reed_*"], "read_a\n", ['--tools "reed_*"']],
    [["--tools", "read_a", "--hide-tools", "*_c"], "read_a\n", ['--hide-tools "*_c"']],
    // A glob counts as matched even if another one hides the tool.
    [["--tools", "read_*", "--hide-tools", "read_*"], "", [], "No tool is left"],
    [["--hide-tools", "*_b"], "read_a\nwrite_a\n", []],
  ])("%j", async (flags, output, unmatched, empty = "") => {
    const ran = await run("tools", ...flags, await serveTools());
    expect([ran.code, ran.output]).toEqual([0, output]);
    expect(ran.errors.match(/--(?:hide-)?tools ".*?"(?= matches)/g) ?? []).toEqual(unmatched);
    expect(ran.errors).toContain(empty);
    if (unmatched.length === 0 && empty === "") expect(ran.errors).toBe("");
  });
});
