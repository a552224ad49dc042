import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { builtBin, LineProgram } from "./line-program.ts";
import { openWorkspace, type Workspace } from "./reference-clients/serve-context.ts";

/** How a scripted agent was started. */
export interface StartedAgent {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  readonly pid: number;
}

/** Records how it was started, then performs the action named by `AGENT_DOES`. */
const AGENT = `#!${process.execPath}
const { renameSync, writeFileSync, appendFileSync } = require("node:fs");
const { AGENT_FACTS: file, AGENT_DOES: does = "0" } = process.env;
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
  process.on(signal, () => {
    appendFileSync(file + ".signals", signal + "\\n");
    if (does !== "stay") process.exit(7);
  });
}
const { argv, env, pid } = process;
const facts = { args: argv.slice(2), cwd: process.cwd(), env, pid, isTerminal: process.stdin.isTTY === true };
writeFileSync(file + ".tmp", JSON.stringify(facts));
renameSync(file + ".tmp", file);
if (does === "wait" || does === "stay") setInterval(() => {}, 1000);
else if (does === "die") process.kill(process.pid, "SIGKILL");
else setTimeout(() => process.exit(Number(does)), Number(env.AGENT_MS ?? 0));
`;

/** A folder, and a PATH with a scripted program for each agent. */
export interface RunContext extends Workspace {
  /** The folder of the programs. */
  readonly bin: string;
  /** The environment of `idewire run`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => LineProgram;
  readonly started: () => Promise<StartedAgent>;
  readonly signals: () => string;
  readonly lockFiles: () => readonly string[];
}

export function openRun(workspace: Workspace = openWorkspace("home")): RunContext {
  const { fixture, folder, env: home } = workspace;
  const bin = join(fixture.root, "bin");
  const facts = join(fixture.root, "facts.json");
  mkdirSync(bin, { recursive: true });
  for (const name of ["claude", "opencode", "gemini", "qwen", "copilot", "codex", "my-agent"]) {
    writeFileSync(join(bin, name), AGENT);
    chmodSync(join(bin, name), 0o755);
  }
  const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  const variables = { ...home, PATH: path, AGENT_FACTS: facts };
  return {
    ...workspace,
    bin,
    variables,
    start: (args, env = {}) =>
      new LineProgram(process.execPath, [builtBin, "run", ...args], {
        env: { ...variables, ...env },
        cwd: folder,
      }),
    async started() {
      await expect.poll(() => existsSync(facts)).toBe(true);
      return JSON.parse(readFileSync(facts, "utf8")) as StartedAgent;
    },
    signals: () => (existsSync(`${facts}.signals`) ? readFileSync(`${facts}.signals`, "utf8") : ""),
    lockFiles() {
      if (!existsSync(fixture.lockFolder)) return [];
      return readdirSync(fixture.lockFolder).filter((name) => name.endsWith(".lock"));
    },
  };
}
