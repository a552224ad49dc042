import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findSuiteNode, runClientSuite, scoredScenarios } from "./src/suite.ts";
import { describeTally, tallyOf } from "./src/tally.ts";

const node = findSuiteNode();
// The built client, as the suite starts it many times at once.
const client = fileURLToPath(new URL("dist/everything-client.js", import.meta.url));

const command = `"${process.execPath}" "${client}"`;

test.runIf(node !== undefined).each([
  ["2025-11-25", 18],
  ["2026-07-28", 32],
])(
  "the official suite finds no fault in the client's requirements of MCP %s",
  async (revision, total) => {
    const scored = await scoredScenarios(revision, "client");
    const selection = { requirements: revision };
    const { scenarios, output } = await runClientSuite(node ?? "", command, selection);
    const tally = tallyOf(scenarios, scored);
    expect(tally, `${describeTally(revision, tally)}\n${output}`).toMatchObject({
      ...{ passed: total, total, failedChecks: 0 },
    });
  },
);

test.runIf(node !== undefined)(
  "the official suite finds no fault in the extensions of authorization",
  async () => {
    const selection = { suite: "extensions" };
    const { scenarios, output } = await runClientSuite(node ?? "", command, selection);
    const tally = tallyOf(scenarios);
    expect(tally, `${describeTally("extensions", tally)}\n${output}`).toMatchObject({
      ...{ passed: 6, total: 6, failedChecks: 0 },
    });
  },
);
