import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { recordTwoAgents } from "../src/recorded-agents.ts";

test("the same editor answers as it was recorded, and no diff is shown unless all is sent", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  const { host, port } = await context.serve();
  const args = ["trace", "replay", file, "--port", String(port)] as const;
  const { code, output, errors } = await context.run(...args);
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toContain("✓  they are the same: handshake, lists, and ");
  expect(output).toContain("– not sent: openDiff, close_tab (2): the tool may show or change");
  expect(host.shownDiffs).toEqual([]);
  const all = await context.run(...args, "--all", "--timeout", "0.3", "--json");
  expect(all.code).toBe(1);
  expect(JSON.parse(all.output)).toMatchObject({ same: false, leftOut: [] });
});

test("a changed editor is detected by the members of its answers", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  const before = join(context.folder, "before.jsonl");
  const text = readFileSync(file, "utf8");
  writeFileSync(before, text.replaceAll("closeAllDiffTabs", "closeTabs"));
  const { port } = await context.serve();
  const { code, output } = await context.run("trace", "replay", before, "--port", String(port));
  expect(code).toBe(1);
  expect(output).toMatch(/^Tools\n {2}- closeTabs\n {2}\+ closeAllDiffTabs$/m);
});

test("a connection that cannot be replayed is reported", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  expect(await context.run("trace", "replay", file, "--connection", "c9")).toMatchObject({
    code: 2,
    errors: `${file}: it has not the connection c9 with its handshake; there are: c1, c2\n`,
  });
  expect((await context.run("trace", "replay", file, "--port", "9")).code).toBe(3);
});
