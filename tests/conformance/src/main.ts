// Runs the official suite against our server and our client, and prints the figures: `pnpm conformance`.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEverything } from "./start-everything.ts";
import { startInstances } from "./start-instances.ts";
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
const { positionals: requested, values } = readArguments();
const instances = Number(values.instances);
if (requested.some((role) => !roles.includes(role as Role)) || !(instances >= 1)) usage();
const node = findSuiteNode();
if (node === undefined) {
  console.error("NOT TESTED, for want of Node 22: the official conformance suite needs it.");
  process.exit(1);
}

function readArguments() {
  const options = { instances: { type: "string", default: "1" } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch {
    return usage();
  }
}

function usage(): never {
  console.error("usage: pnpm conformance [server] [client] [--instances COUNT]");
  process.exit(2);
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

const isRequested = (role: Role) => requested.length === 0 || requested.includes(role);

if (isRequested("server")) {
  const server = await (instances === 1 ? startEverything() : startInstances(instances));
  await report("server", (selection) => runServerSuite(node, server.url, selection)).finally(() =>
    server.close(),
  );
}
if (isRequested("client")) {
  const client = fileURLToPath(new URL("everything-client.js", import.meta.url));
  const command = `"${process.execPath}" "${client}"`;
  await report("client", (selection) => runClientSuite(node, command, selection));
}
