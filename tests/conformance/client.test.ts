import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findSuiteNode, runClientSuite, scoredScenarios } from "./src/suite.ts";
import { describeTally, tallyOf } from "./src/tally.ts";

const node = findSuiteNode();
// Built, as the suite starts it many times at once.
const client = fileURLToPath(new URL("dist/everything-client.js", import.meta.url));

test.runIf(node !== undefined)(
  "the official suite finds nothing to fault in what MCP 2025-11-25 requires of a client",
  async () => {
    const scored = await scoredScenarios("2025-11-25", "client");
    const { scenarios, output } = await runClientSuite(
      node ?? "",
      `"${process.execPath}" "${client}"`,
      { requirements: "2025-11-25" },
    );
    const tally = tallyOf(scenarios, scored);
    expect(tally, `${describeTally("2025-11-25", tally)}\n${output}`).toMatchObject({
      ...{ passed: 18, total: 18, failedChecks: 0 },
    });
  },
);
