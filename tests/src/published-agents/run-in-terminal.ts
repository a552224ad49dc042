import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { EditorTerminal } from "../../../editors/test/terminal.ts";
import { builtBin } from "../line-program.ts";
import { until } from "../reference-clients/transcript.ts";
import { AgentTerminal, STEP_MS } from "./agent-terminal.ts";
import type { PublishedAgent } from "./agents.ts";
import { ServedFolder } from "./served-folder.ts";

/** Stores the exit code of a command in a file. */
const RECORD_EXIT = '"$@"; echo $? > "$0"';

/** `idewire run <agent>` in a terminal, and another terminal for reviews. */
export class RunInTerminal {
  readonly folder: ServedFolder;
  readonly agent: AgentTerminal;
  readonly #exit: string;

  private constructor(agent: AgentTerminal, folder: ServedFolder, exit: string) {
    this.agent = agent;
    this.folder = folder;
    this.#exit = exit;
  }

  /** Starts it with its own server, without a page. */
  static start(agent: PublishedAgent): Promise<RunInTerminal> {
    return RunInTerminal.#open(agent, new ServedFolder(), ["--no-web", "--share", "all"]);
  }

  /** Starts it in a served folder, as a client of the serving process. */
  static join(agent: PublishedAgent, folder: ServedFolder): Promise<RunInTerminal> {
    return RunInTerminal.#open(agent, folder, ["--editor", String(folder.serve.pid)]);
  }

  static async #open(
    agent: PublishedAgent,
    folder: ServedFolder,
    flags: readonly string[],
  ): Promise<RunInTerminal> {
    const exit = join(folder.workspace.fixture.root, "exit");
    const { word, ownArguments = [] } = agent;
    const command = [process.execPath, builtBin, "run", word, ...flags];
    const words = ["sh", "-c", RECORD_EXIT, exit, ...command, "--", ...ownArguments];
    return new RunInTerminal(
      await AgentTerminal.start(folder.workspace, agent, words),
      folder,
      exit,
    );
  }

  /** Waits for the agent's first edit, and accepts it in another terminal. */
  async accepts(path: string): Promise<void> {
    const { agent } = this.agent;
    let listed: readonly { readonly agent: string }[] = [];
    for (let tries = 0; tries < 30 && listed.length === 0; tries += 1) {
      listed = (await this.folder.json("diffs")) as typeof listed;
    }
    expect(listed.map((diff) => diff.agent).join(), this.agent.screen).toContain(agent.title);
    const reviewer = new EditorTerminal(
      this.folder.workspace,
      [process.execPath, builtBin, "review", "1"],
      {},
    );
    await reviewer.shows(/idewire>/);
    reviewer.type("accept");
    reviewer.keys("Enter");
    const isWritten = () => existsSync(path) && readFileSync(path, "utf8") === "proposed\n";
    await until(`${agent.title} to write ${path}`, isWritten, STEP_MS, () => this.agent.screen);
  }

  /** Exits the agent as a person does; returns the exit code of `idewire run`. */
  async quit(): Promise<number> {
    const { quits } = this.agent.agent;
    for (let tries = 0; tries < 5 && !existsSync(this.#exit); tries += 1) {
      if (tries % 2 === 0) await this.agent.enter(quits).catch(() => undefined);
      else this.agent.press("Enter");
      await until("the end", () => existsSync(this.#exit), 8_000).catch(() => undefined);
    }
    return this.#exitCode();
  }

  /** Terminates `idewire run` by a signal; returns its exit code. */
  async terminate(): Promise<number> {
    const shell = String(this.agent.pid);
    const run = execFileSync("pgrep", ["-P", shell], { encoding: "utf8" });
    process.kill(Number(run), "SIGTERM");
    return this.#exitCode();
  }

  async #exitCode(): Promise<number> {
    const read = () => existsSync(this.#exit) && readFileSync(this.#exit, "utf8").trim();
    return Number(await until("the exit code", read, STEP_MS));
  }

  /** The remaining lock files. */
  get lockFiles(): readonly string[] {
    const { home } = this.folder.workspace.fixture;
    return [".claude/ide", ".qwen/ide", ".copilot/ide"].flatMap((name) => {
      const folder = join(home, name);
      return existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith(".lock")) : [];
    });
  }
}
