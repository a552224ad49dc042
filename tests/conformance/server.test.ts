import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startEverything } from "./src/start-everything.ts";
import { findSuiteNode, runServerSuite, scoredScenarios } from "./src/suite.ts";
import { describeTally, tallyOf } from "./src/tally.ts";

const node = findSuiteNode();

let server: RunningServer;
beforeAll(async () => {
  server = await startEverything();
});
afterAll(() => server.close());

test("there is a Node 22 for the official suite", () => {
  expect(node, "NOT TESTED: the official conformance suite, for want of Node 22").toBeDefined();
});

describe.runIf(node !== undefined)("the official suite finds no fault", () => {
  test.each([
    ["2025-11-25", 30],
    ["2026-07-28", 37],
  ])("in what MCP %s requires of a server", async (revision, count) => {
    const scored = await scoredScenarios(revision);
    const { scenarios, output } = await runServerSuite(node ?? "", server.url, {
      requirements: revision,
    });
    const tally = tallyOf(scenarios, scored);
    expect(tally, `${describeTally(revision, tally)}\n${output}`).toMatchObject({
      ...{ passed: count, total: count, failedChecks: 0 },
    });
  });
});
