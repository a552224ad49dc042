import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../conformance/src/start-everything.ts";
import { startInstances } from "../conformance/src/start-instances.ts";
import { findSuiteNode, runServerSuite, scoredScenarios } from "../conformance/src/suite.ts";
import { describeTally, tallyOf } from "../conformance/src/tally.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startInstances(3);
});
afterAll(() => server.close());

test.each([
  ["2025-11-25", 30],
  ["2026-07-28", 37],
])("any of three instances serves any request of MCP %s", async (revision, count) => {
  const node = findSuiteNode();
  expect(node, "NOT TESTED: the official suite, for want of Node 22").toBeDefined();
  const scored = await scoredScenarios(revision);
  const { scenarios, output } = await runServerSuite(node ?? "", server.url, {
    requirements: revision,
  });
  const tally = tallyOf(scenarios, scored);
  expect(tally, `${describeTally(revision, tally)}\n${output}`).toMatchObject({
    ...{ passed: count, total: count, failedChecks: 0 },
  });
});
