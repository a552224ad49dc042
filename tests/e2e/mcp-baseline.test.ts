import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** A server whose tool has an argument of a type. */
async function serve(type: string) {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  const input = { type: "object", properties: { town: { type } } } as const;
  server.tool("forecast", { input, description: "The weather" }, () => "Sunny");
  server.prompt("greet", {}, () => "Hello");
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  return listener.url;
}

function open() {
  const fixture = openFixture();
  const file = join(fixture.workspace, "mcp-tools.json");
  const check = async (url: string, ...flags: readonly string[]) => {
    const args = ["check", "--baseline", "mcp-tools.json", ...flags, url];
    const run = new CliRun(fixture, { args });
    return { code: await run.exited, output: run.output, errors: run.errors };
  };
  return { fixture, file, check };
}

test("a missing baseline is written, and an unchanged server matches it", async () => {
  const { check, file } = open();
  const url = await serve("string");
  const written = await check(url);
  expect(written).toEqual({
    code: 0,
    output: "Wrote 1 tool, 1 prompt, 0 resource templates to mcp-tools.json.\n",
    errors: "",
  });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    tools: [{ name: "forecast", description: "The weather" }],
  });
  expect((await check(url)).output).toBe(
    "1 tool, 1 prompt, 0 resource templates, as in mcp-tools.json.\n",
  );
});

test("a breaking difference fails the build until it is accepted", async () => {
  const { check } = open();
  await check(await serve("string"));
  const changed = await serve("number");
  const broken = await check(changed);
  expect(broken.code).toBe(1);
  expect(broken.output).toContain('breaking   tool forecast: town: type no longer admits "string"');
  expect(broken.output).toContain("1 breaking, 1 compatible, 0 of text alone. --update");
  const json = await check(changed, "--json");
  expect(JSON.parse(json.output)).toMatchObject({ ok: false, changes: [{ kind: "breaking" }, {}] });
  expect((await check(changed, "--update")).code).toBe(0);
  expect((await check(changed)).code).toBe(0);
});

test("the differences are written as JUnit and as SARIF", async () => {
  const { check, fixture } = open();
  const files = ["--junit", "report.xml", "--sarif", "report.sarif"];
  const read = (name: string) => readFileSync(join(fixture.workspace, name), "utf8");
  const url = await serve("string");
  await check(url);
  expect((await check(url, ...files)).code).toBe(0);
  expect(read("report.xml")).toContain('<testsuites tests="1" failures="0"');
  expect(JSON.parse(read("report.sarif")).runs[0].results).toEqual([]);
  const changed = await serve("number");
  expect((await check(changed, ...files)).code).toBe(1);
  expect(read("report.xml")).toContain('<testsuites tests="2" failures="1"');
  expect(JSON.parse(read("report.sarif")).runs[0].results).toMatchObject([
    { ruleId: "MCP-BASELINE-breaking", level: "error" },
    { ruleId: "MCP-BASELINE-compatible", level: "note" },
  ]);
});

test("a file that is not a baseline is left alone", async () => {
  const { check, file } = open();
  writeFileSync(file, "[]");
  const { code, errors } = await check(await serve("string"));
  expect([code, readFileSync(file, "utf8")]).toEqual([1, "[]"]);
  expect(errors).toContain("is not a baseline");
});

test("a command after -- is checked, and --update alone is a wrong command line", async () => {
  const { fixture } = open();
  const run = async (...args: readonly string[]) => {
    const started = new CliRun(fixture, { args: ["check", ...args] });
    return [await started.exited, started.errors] as const;
  };
  const [code, errors] = await run("--baseline", "a.json", "--", "no-such-program", "--flag");
  expect([code, errors]).toEqual([1, expect.stringContaining("no-such-program")]);
  expect(await run("--update")).toEqual([2, expect.stringContaining("--update needs")]);
});
