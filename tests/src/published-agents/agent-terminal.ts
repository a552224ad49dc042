import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { EditorTerminal } from "../../../editors/test/terminal.ts";
import type { Workspace } from "../reference-clients/serve-context.ts";
import { until } from "../reference-clients/transcript.ts";
import { sleep } from "../reference-clients/wire.ts";
import type { ModelCall } from "../scripted-model/model-wire.ts";
import { ScriptedModel } from "../scripted-model/scripted-model.ts";
import type { PublishedAgent } from "./agents.ts";

/**
 * The folder with the installed command lines: `npm install --prefix <folder>` of
 * `node@22 @anthropic-ai/claude-code opencode-ai @google/gemini-cli @qwen-code/qwen-code @github/copilot
 * @openai/codex`. They are not dependencies: they take two gigabytes, and not all are free software.
 */
export const installed: string | undefined = process.env["IDEWIRE_AGENTS"];

/** The path of an installed program; undefined if none are installed. */
export function programOf(word: string): string | undefined {
  return installed && join(installed, "node_modules", ".bin", word);
}

/** The limit for one step of a published command line on a busy machine. */
export const STEP_MS = 240_000;

/** A published command line in a separate terminal, with its model. */
export class AgentTerminal {
  readonly agent: PublishedAgent;
  readonly model: ScriptedModel;
  readonly #terminal: EditorTerminal;

  private constructor(agent: PublishedAgent, model: ScriptedModel, terminal: EditorTerminal) {
    this.agent = agent;
    this.model = model;
    this.#terminal = terminal;
  }

  /** @param words the typed command, instead of the agent's own with its arguments */
  static async start(
    workspace: Workspace,
    agent: PublishedAgent,
    words: readonly string[] = [agent.word, ...agent.arguments],
  ): Promise<AgentTerminal> {
    const model = await new ScriptedModel(agent.wire).listen();
    onTestFinished(() => model[Symbol.asyncDispose]());
    const { fixture, folder, env } = workspace;
    const place = { home: fixture.home, folder, origin: model.origin };
    for (const [name, text] of Object.entries(agent.settings(place))) {
      mkdirSync(dirname(join(fixture.home, name)), { recursive: true });
      writeFileSync(join(fixture.home, name), text);
    }
    const variables = { ...env, ...agent.variables(place), ...terminalVariables() };
    const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const own = new EditorTerminal(workspace, ["env", "-i", ...set, ...words], {});
    const terminal = new AgentTerminal(agent, model, own);
    await terminal.shows(agent.ready);
    return terminal;
  }

  get screen(): string {
    return this.#terminal.screen;
  }

  get title(): string {
    return this.#terminal.title;
  }

  /** The main process of the terminal. */
  get pid(): number {
    return this.#terminal.pid;
  }

  /** Whether the program has ended; its terminal ends with it. */
  get hasEnded(): boolean {
    try {
      return this.screen === undefined;
    } catch {
      return true;
    }
  }

  async shows(text: string | RegExp): Promise<void> {
    const isShown = () =>
      typeof text === "string" ? this.screen.includes(text) : text.test(this.screen);
    if (await this.#showsWithin(STEP_MS, isShown)) return;
    throw new Error(`${this.agent.title} does not show ${text}, but:\n${this.screen}`);
  }

  /** Polls slowly: each read of the screen starts a process. */
  async #showsWithin(limitMs: number, isShown: () => boolean): Promise<boolean> {
    const start = performance.now();
    while (!isShown()) {
      if (performance.now() - start > limitMs) return false;
      await sleep(250);
    }
    return true;
  }

  keys(...keys: readonly string[]): void {
    this.#terminal.keys(...keys);
  }

  /** Presses a key of a program that may have ended. */
  press(key: string): void {
    if (!this.hasEnded) this.keys(key);
  }

  /** Types a line and sends it, without waiting for its effect. */
  async enter(line: string): Promise<void> {
    // The same line may have been typed before.
    const count = () => this.screen.split(line).length;
    const before = count();
    let isTyped = false;
    // Keys are lost while a question is being removed from the screen.
    for (let tries = 0; tries < 5 && !isTyped; tries += 1) {
      this.#terminal.type(line);
      isTyped = await this.#showsWithin(10_000, () => count() > before);
    }
    if (!isTyped) throw new Error(`${line} is not in:\n${this.screen}`);
    // An Enter right after the text would count as a line break in pasted text.
    await sleep(700);
    this.keys("Enter");
  }

  /** Sends a prompt for which the model makes these calls; returns the prompt. */
  async prompt(calls: readonly ModelCall[] = []): Promise<string> {
    const prompt = this.model.promptFor(calls);
    await this.enter(prompt);
    let pressedMs = performance.now();
    await until(
      `the model of ${this.agent.title} to receive ${prompt}`,
      () => {
        if (this.model.hasReceived(prompt)) return true;
        if (performance.now() - pressedMs > 8_000) {
          pressedMs = performance.now();
          this.keys("Enter");
        }
        return false;
      },
      STEP_MS,
      () => `\n${this.screen}`,
    );
    return prompt;
  }

  /** Prompts the model until it receives the words, which may still be in transit at the first prompt. */
  async receives(words: RegExp): Promise<void> {
    let added = "";
    for (let tries = 0; tries < 8; tries += 1) {
      added = await this.model.received(await this.prompt());
      if (words.test(added)) return;
      await sleep(1_000 + 500 * tries);
    }
    throw new Error(
      `${this.agent.title} has not sent its model ${words}, but:\n${added.slice(-2_000)}`,
    );
  }

  /** Confirms the change in question; the agent may ignore the first keys. */
  async confirm(isDone: () => boolean): Promise<void> {
    await this.shows(/1\. (Yes|Allow once)/);
    for (let tries = 0; tries < 10 && !isDone(); tries += 1) {
      await sleep(1_500);
      if (!isDone()) this.keys("Enter");
      await sleep(1_500);
    }
  }

  close(): void {
    this.#terminal.close();
  }
}

function terminalVariables() {
  const bin = join(installed ?? "", "node_modules", ".bin");
  return {
    PATH: [bin, process.env["PATH"] ?? ""].join(delimiter),
    ...{ TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh" },
  };
}
