import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** Far below the time-out of a request. */
const AT_ONCE = 30_000;

const forecast = {
  name: "forecast",
  inputSchema: { type: "object" },
  outputSchema: {
    type: "object",
    properties: { celsius: { type: "number" } },
    required: ["celsius"],
  },
};

interface Answers {
  readonly tool?: object;
  readonly result: object;
  /** The server's reaction to a request for its tools, if not a list. */
  readonly instead?: "refuse" | "nothing";
}

/** Calls the tool of a server that prints each requested method on stderr. */
async function call({ tool = forecast, result, instead }: Answers, ...flags: string[]) {
  const results = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    },
    ...(instead === undefined && { "tools/list": { tools: [tool] } }),
    "tools/call": result,
  };
  const server = `
    const results = ${JSON.stringify(results)};
    require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
      const { id, method } = JSON.parse(text);
      if (method === "tools/list") console.error("received tools/list");
      if (method === "tools/list" && ${instead === "nothing"}) return;
      const result = results[method];
      const error = { code: -32601, message: "no" };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
    });`;
  const program = ["--", process.execPath, "-e", server];
  const args = ["mcp", "call", "forecast", "--era", "legacy", ...flags, ...program];
  const command = new CliRun(openFixture(), { args });
  const code = await command.exited;
  const errors = command.errors.split("\n").filter((line) => line !== "");
  return {
    ...{ code, output: command.output },
    warnings: errors.filter((line) => line.startsWith("warning: ")),
    isListed: errors.some((line) => line.endsWith("received tools/list")),
  };
}

const text = { type: "text", text: "20 degrees" };

describe("a call warns of structured content that does not match the schema of its tool", () => {
  const wrong = { content: [text], structuredContent: { celsius: "20" } };
  const mismatch =
    "warning: forecast: the structured content does not match the outputSchema of the tool: ";

  test("the result is printed as it is, and the exit status is that of the tool", async () => {
    const found = await call({ result: wrong });
    expect(found).toMatchObject({ code: 0, output: "20 degrees\n" });
    expect(found.warnings).toEqual([expect.stringContaining(mismatch)]);
    expect(found.warnings[0]).toContain("celsius");
    const json = await call({ result: wrong }, "--json");
    expect(json).toMatchObject({ code: 0, output: `${JSON.stringify(wrong)}\n` });
    expect(json.warnings).toEqual(found.warnings);
  });

  test("a schema that cannot be used is named", async () => {
    const tool = { ...forecast, outputSchema: { type: "object", $ref: "#/none" } };
    const { code, warnings } = await call({ tool, result: wrong });
    expect(code).toBe(0);
    expect(warnings).toEqual([
      expect.stringContaining("forecast: the outputSchema of the tool cannot be used: $ref"),
    ]);
  });

  test.each<[string, Answers]>([
    ["it matches", { result: { content: [text], structuredContent: { celsius: 20 } } }],
    ["the tool has no schema", { tool: { ...forecast, outputSchema: undefined }, result: wrong }],
    ["the tool is not listed", { tool: { ...forecast, name: "other" }, result: wrong }],
    ["the server refuses to list its tools", { instead: "refuse", result: wrong }],
    ["the server does not answer", { instead: "nothing", result: wrong }],
  ])("and of nothing else: %s", { timeout: AT_ONCE }, async (_, answers) => {
    expect(await call(answers)).toMatchObject({ code: 0, warnings: [], isListed: true });
  });

  test.each([
    ["a result without structured content", { content: [text] }, 0],
    ["a failure of the tool", { ...wrong, isError: true }, 3],
  ])("%s is not checked, and the list is not requested", async (_, result, code) => {
    expect(await call({ result })).toMatchObject({ code, warnings: [], isListed: false });
  });
});
