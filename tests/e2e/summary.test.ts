import { expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { recordTwoAgents } from "../src/recorded-agents.ts";

test("a recording in figures: the connected agents, and the time of a person separately", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  const { code, output, errors } = await context.run("trace", "summary", file);
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toMatch(
    /^ {2}c1 {2}claude-code \S+ with Fake Editor 1\.0\.0, 10 frames, 11 tools$/m,
  );
  expect(output).toMatch(/^ {2}c2 {2}opencode \S+ with Fake Editor 1\.0\.0, 3 frames$/m);
  expect(output).toMatch(/^agent {5}tools\/list +1 +0 +0(?: +[\d.]+ ms){4}$/m);
  expect(output).toMatch(/^waiting for a person\nagent {5}openDiff +1 +0 +0/m);
  const json = await context.run("trace", "summary", file, "--json");
  expect(JSON.parse(json.output)).toMatchObject({
    sessions: [{ connection: "c1", tools: 11 }, { connection: "c2" }],
    latencies: expect.arrayContaining([
      expect.objectContaining({ tool: "openDiff", count: 1, isPersonal: true }),
    ]),
  });
});
