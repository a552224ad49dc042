import { resolve } from "node:path";
import process from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toPosixPath } from "@idewire/core";
import { systemClock } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { dropAll, notifyAll, ScriptedIde } from "@idewire/devtools/internal";
import {
  createScenario,
  parseScenario,
  playScenario,
  type Scenario,
  type ScenarioContext,
  type ScenarioHeader,
  type ScenarioIssue,
  type ScenarioReport,
  type ScenarioStep,
  type StepResult,
} from "@idewire/devtools/scenario";
import type { TraceEvent } from "@idewire/devtools/trace";
import type { IdeListener } from "@idewire/node-server";
import { platform } from "@idewire/node-server/internal";
import { diskFiles } from "./disk-files.ts";
import { SimulatedEndpoint } from "./endpoint.ts";
import { openOtherEditor } from "./other-editors.ts";
import { formatReport } from "./report-lines.ts";
import { openSimulatedHome, type SimulatedHome } from "./simulated-home.ts";

/** What {@link simulateIde} plays. */
export interface SimulateIdeOptions {
  /** The text of a scenario file, a parsed scenario, or only its steps. */
  readonly script: string | Scenario | readonly ScenarioStep[];
  /** With mere steps: what the first line of a file says. */
  readonly header?: Partial<ScenarioHeader>;
  /** Native; where the header's `workspace` starts from. The working directory when left out. */
  readonly base?: string;
  /** Called with each step when it is over. */
  readonly onstep?: (result: StepResult) => void;
  /** Called with each event of the trace: frames, connections, actions. */
  readonly ontrace?: (event: TraceEvent) => void;
}

/** The variables of the temporary home, and of the editor in it. */
export type SimulatedEnv = Readonly<Record<string, string>> & {
  readonly HOME: string;
  readonly CLAUDE_CONFIG_DIR: string;
  /** Missing where the agent has to choose between several editors. */
  readonly CLAUDE_CODE_SSE_PORT?: string;
};

/** An editor and a person by script, that an agent on this machine finds. */
export interface SimulatedIde {
  /** The native, real path of the workspace: where the agent has to run. */
  readonly folder: string;
  /** What leads the agent here, to be added to its environment. */
  readonly env: SimulatedEnv;
  readonly port: number;
  /** Settles when the play is over, however it ends. */
  readonly report: Promise<ScenarioReport>;
  /**
   * Waits for the end.
   * @throws IdewireError `unmet`, whose message is the whole report, unless all was met
   */
  met(): Promise<ScenarioReport>;
  /** Reports that the agent's process has ended: what has not arrived by now is unlikely to. */
  agentExited(code: number | undefined): void;
  /** Ends the play, takes the lock file away, and removes the workspace. */
  close(): Promise<void>;
}

/**
 * Sets a scenario up in a throw-away home and plays it.
 * @throws IdewireError `invalid-argument` with each line that is wrong, `not-a-folder`,
 * `file-system`
 */
export async function simulateIde(options: SimulateIdeOptions): Promise<SimulatedIde> {
  const scenario = toScenario(options);
  const base = resolve(options.base ?? process.cwd());
  const home = await openSimulatedHome(scenario.header, base);
  const simulation = new ScenarioIde(scenario, home);
  try {
    await simulation.open(options);
    return simulation;
  } catch (error) {
    await simulation.close();
    throw error;
  }
}

function toScenario({ script, header = {} }: SimulateIdeOptions): Scenario {
  if (typeof script === "object" && "steps" in script) return script;
  const result =
    typeof script === "string" ? parseScenario(script) : createScenario(header, script);
  if (result.ok) return result.value;
  throw new IdewireError("invalid-argument", describeIssues(result.issues));
}

/** Each wrong line, on a line of its own. */
export function describeIssues(issues: readonly ScenarioIssue[], file?: string): string {
  const where = file === undefined ? "line " : `${file}:`;
  return issues.map(({ line, issue }) => `${where}${line}: ${issue}`).join("\n");
}

class ScenarioIde implements SimulatedIde, ScenarioContext {
  readonly ide: ScriptedIde;
  readonly #scenario: Scenario;
  readonly #home: SimulatedHome;
  readonly #endpoint: SimulatedEndpoint;
  readonly #others: IdeListener[] = [];
  readonly #ending = new AbortController();
  #report: Promise<ScenarioReport> | undefined;
  #closed: Promise<void> | undefined;

  constructor(scenario: Scenario, home: SimulatedHome) {
    const folder = toPosixPath(home.folder, platform);
    if (!folder.ok) throw new IdewireError("invalid-argument", folder.issue);
    this.#scenario = scenario;
    this.#home = home;
    this.ide = new ScriptedIde(scenario, {
      folder: folder.value,
      platform,
      files: diskFiles(home.folder),
      clock: systemClock,
      now: () => performance.now(),
    });
    this.#endpoint = new SimulatedEndpoint(this.ide, home);
  }

  get folder(): string {
    return this.#home.folder;
  }

  get port(): number {
    return this.#endpoint.port;
  }

  get env(): SimulatedEnv {
    // With several editors the agent has to choose on its own.
    const leads = this.#others.length === 0 && { CLAUDE_CODE_SSE_PORT: String(this.port) };
    return { ...this.#home.env, ...leads };
  }

  get report(): Promise<ScenarioReport> {
    if (this.#report === undefined) throw new Error("The simulation is not open yet");
    return this.#report;
  }

  async open({ ontrace, onstep }: SimulateIdeOptions): Promise<void> {
    const { header } = this.#scenario;
    const { log } = this.ide;
    if (ontrace !== undefined) log.trace.on("append", ontrace);
    for (const name of header.neighbours ?? []) {
      const onconnect = () => log.add({ kind: "connected", editor: name });
      this.#others.push(await openOtherEditor(name, this.#home, onconnect));
    }
    await this.#endpoint.open(header.token === "wrong" ? "wrong" : "same");
    const { signal } = this.#ending;
    const options = { signal, ...(onstep !== undefined && { onstep }) };
    // Our caller has us before the first step.
    this.#report = nextTurn().then(() => playScenario(this.#scenario, this, options));
  }

  async met(): Promise<ScenarioReport> {
    const report = await this.report;
    if (report.outcome === "met") return report;
    throw new IdewireError("unmet", formatReport(report));
  }

  agentExited(code: number | undefined): void {
    this.ide.log.add({ kind: "exit", code });
  }

  notify(method: string, params: Parameters<ScenarioContext["notify"]>[1]): void {
    notifyAll(this.#endpoint.sessions, method, params);
  }

  drop(): Promise<void> {
    return dropAll(this.#endpoint.sessions);
  }

  restart(how: Parameters<ScenarioContext["restart"]>[0]): Promise<void> {
    return this.#endpoint.restart(how);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#report;
    await Promise.all([this.#endpoint.close(), ...this.#others.map((other) => other.close())]);
    await this.#home.close();
  }
}
