import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { builtBin } from "../line-program.ts";
import type { ScriptedServe, ServeEvent } from "../reference-clients/scripted-serve.ts";
import {
  openWorkspace,
  startServe,
  type Workspace,
  write,
} from "../reference-clients/serve-context.ts";
import { until } from "../reference-clients/transcript.ts";
import { STEP_MS } from "./agent-terminal.ts";

/** A folder with files, served by the built command; a restarted process continues with its name and agents. */
export class ServedFolder {
  readonly workspace: Workspace = openWorkspace("home", "project");
  #serve: ScriptedServe | undefined;
  #files = 0;

  constructor() {
    write(this.workspace, "a.md", "one\ntwo\nthree\nfour\n");
  }

  /** The running process. */
  get serve(): ScriptedServe {
    if (this.#serve === undefined) throw new Error("The folder is not served");
    return this.#serve;
  }

  async start(): Promise<void> {
    this.#serve = startServe(this.workspace, { flags: ["--share", "all"] });
    await this.#serve.event("listening");
  }

  /**
   * Stops the process in order, or kills it, and serves the folder again at once.
   * @returns the milliseconds without a listener
   */
  async restart(how: "stop" | "SIGKILL"): Promise<number> {
    const began = performance.now();
    if (how === "stop") this.serve.type({ do: "stop" });
    else this.serve.kill(how);
    await this.serve.exited;
    await this.start();
    return performance.now() - began;
  }

  pathOf(name: string): string {
    return join(this.workspace.folder, name);
  }

  /** An unused name of a file. */
  newName(): string {
    this.#files += 1;
    return `file-${this.#files}.md`;
  }

  /** Writes a new file and opens it. */
  async openNew(): Promise<string> {
    const name = this.newName();
    write(this.workspace, name, `${name}\n`);
    await this.serve.do({ do: "open", path: name });
    return name;
  }

  async select(from: number, to: number): Promise<void> {
    const end = { line: to, character: to === 0 ? 3 : 5 };
    await this.serve.do({
      ...{ do: "select", path: "a.md" },
      range: { start: { line: from, character: 0 }, end },
    });
  }

  /** Waits for an event that satisfies a condition. */
  async event(what: string, fulfils: (event: ServeEvent) => boolean): Promise<ServeEvent> {
    const find = () => this.serve.events.find(fulfils);
    return until(`the event ${what}`, find, STEP_MS, () => this.serve.describe());
  }

  /** The JSON output of a command of idewire in the folder. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.command(...args, "--json")) as unknown;
  }

  /** The output of a command of idewire in the folder. */
  async command(...args: readonly string[]): Promise<string> {
    const { env, folder } = this.workspace;
    const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env } };
    const words = [builtBin, ...args];
    return (await promisify(execFile)(process.execPath, words, options)).stdout;
  }
}
