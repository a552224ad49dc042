// Runs the official suite against our server and prints the figures: `pnpm conformance server`.
import { startEverything } from "./start-everything.ts";
import { findSuiteNode, runServerSuite, scoredScenarios } from "./suite.ts";
import { describeTally, tallyOf } from "./tally.ts";

const revisions = ["2025-11-25", "2026-07-28"];

const [what = "server", ...extra] = process.argv.slice(2);
if (what !== "server" || extra.length > 0) {
  console.error("usage: pnpm conformance server");
  process.exit(2);
}
const node = findSuiteNode();
if (node === undefined) {
  console.error("NOT TESTED, for want of Node 22: the official conformance suite needs it.");
  process.exit(1);
}

const server = await startEverything();
try {
  for (const revision of revisions) {
    const { scenarios } = await runServerSuite(node, server.url, { requirements: revision });
    const scored = await scoredScenarios(revision);
    const tally = tallyOf(scenarios, scored);
    const rest = tallyOf(scenarios.filter(({ scenario }) => !scored.includes(scenario)));
    console.log(describeTally(`server, ${revision}, scored`, tally));
    console.log(describeTally(`server, ${revision}, not scored`, rest));
    if (tally.passed < tally.total) process.exitCode = 1;
  }
  const { scenarios } = await runServerSuite(node, server.url, { suite: "all" });
  console.log(describeTally("server, suite all", tallyOf(scenarios)));
} finally {
  await server.close();
}
