// Runs the official suite against our server and our client, and prints the figures: `pnpm conformance`.
import { fileURLToPath } from "node:url";
import { startEverything } from "./start-everything.ts";
import {
  findSuiteNode,
  runClientSuite,
  runServerSuite,
  type Selection,
  type SuiteResult,
  scoredScenarios,
} from "./suite.ts";
import { describeTally, tallyOf } from "./tally.ts";

type Role = "server" | "client";
type Run = (selection: Selection) => Promise<SuiteResult>;

const revisions = ["2025-11-25", "2026-07-28"];

const roles: readonly Role[] = ["server", "client"];
const asked = process.argv.slice(2);
if (asked.some((role) => !roles.includes(role as Role))) {
  console.error("usage: pnpm conformance [server] [client]");
  process.exit(2);
}
const node = findSuiteNode();
if (node === undefined) {
  console.error("NOT TESTED, for want of Node 22: the official conformance suite needs it.");
  process.exit(1);
}

async function report(role: Role, run: Run): Promise<void> {
  for (const revision of revisions) {
    const { scenarios } = await run({ requirements: revision });
    const scored = await scoredScenarios(revision, role);
    const tally = tallyOf(scenarios, scored);
    const rest = tallyOf(scenarios.filter(({ scenario }) => !scored.includes(scenario)));
    console.log(describeTally(`${role}, ${revision}, scored`, tally));
    console.log(describeTally(`${role}, ${revision}, not scored`, rest));
    if (tally.passed < tally.total) process.exitCode = 1;
  }
  const { scenarios } = await run({ suite: "all" });
  console.log(describeTally(`${role}, suite all`, tallyOf(scenarios)));
}

const isAsked = (role: Role) => asked.length === 0 || asked.includes(role);

if (isAsked("server")) {
  const server = await startEverything();
  await report("server", (selection) => runServerSuite(node, server.url, selection)).finally(() =>
    server.close(),
  );
}
if (isAsked("client")) {
  const client = fileURLToPath(new URL("everything-client.js", import.meta.url));
  const command = `"${process.execPath}" "${client}"`;
  await report("client", (selection) => runClientSuite(node, command, selection));
}
