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

/** The options of {@link simulateIde}. */
export interface SimulateIdeOptions {
  /** The text of a scenario file, a parsed scenario, or only its steps. */
  readonly script: string | Scenario | readonly ScenarioStep[];
  /** The header, if `script` has only steps. */
  readonly header?: Partial<ScenarioHeader>;
  /** Native; the base of the header's `workspace`. The working directory when left out. */
  readonly base?: string;
  /** Called with each finished step. */
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

/** A scripted editor and person that agents on this machine can find. */
export interface SimulatedIde {
  /** The native, real path of the workspace, in which the agent must run. */
  readonly folder: string;
  /** The variables that lead the agent here, to be added to its environment. */
  readonly env: SimulatedEnv;
  readonly port: number;
  /** Settles when the play has ended, whatever the outcome. */
  readonly report: Promise<ScenarioReport>;
  /**
   * Waits for the end.
   * @throws IdewireError `unmet`, whose message is the whole report, unless all expectations were met
   */
  met(): Promise<ScenarioReport>;
  /** Reports that the agent's process has exited: further messages are unlikely. */
  agentExited(code: number | undefined): void;
  /** Ends the play, and removes the lock file and the workspace. */
  close(): Promise<void>;
}

/**
 * Sets up a scenario in a temporary home and plays it.
 * @throws IdewireError `invalid-argument` with each invalid line, `not-a-folder`, `file-system`
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

/** Each issue on its own line. */
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
    // With several editors, the agent must choose one on its own.
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
    // The caller has this object before the first step.
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
