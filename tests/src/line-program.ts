import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { TIMEOUT_MS, until } from "./reference-clients/transcript.ts";

/** The built command. */
export const builtBin: string = fileURLToPath(
  new URL("../../packages/cli/bin/idewire.js", import.meta.url),
);

export interface LineProgramOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A program with line-based input and output; terminated with its children when the test ends. */
export class LineProgram {
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";
  #exitCode: number | null | undefined;

  constructor(program: string, args: readonly string[], { env, cwd }: LineProgramOptions) {
    this.#child = spawn(program, args, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      cwd,
      stdio: "pipe",
      // Its own process group, so that the children of a shell are terminated with it.
      detached: true,
    });
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdout.on("data", (chunk) => {
      this.#output += String(chunk);
    });
    this.#child.stderr.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    this.exited = this.#untilExit(program);
    // An unawaited rejection must not fail the test.
    this.exited.catch(() => undefined);
    onTestFinished(() => this.#end());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  type(line: string | object): void {
    this.#child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  /** Writes a text without a line break after it. */
  write(text: string): void {
    this.#child.stdin.write(text);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until stdout contains a text. */
  async shows(text: string | RegExp): Promise<void> {
    const isShown = () =>
      typeof text === "string" ? this.#output.includes(text) : text.test(this.#output);
    await until(
      `the text ${typeof text === "string" ? JSON.stringify(text) : text}`,
      () => isShown() || this.#exitCode !== undefined,
      TIMEOUT_MS,
      () => this.describe(),
    );
    if (!isShown()) throw new Error(`it exited: ${this.describe()}`);
  }

  describe(): string {
    return `\n${this.#output}\n${this.#errors}\n(exit ${String(this.#exitCode)})`;
  }

  async #end(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#exitCode !== undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill();
      else process.kill(-pid, "SIGKILL");
    } catch {
      // It is exiting, but its exit event is still to come.
    }
    await this.exited;
  }

  async #untilExit(program: string): Promise<number | null> {
    try {
      const [code] = (await once(this.#child, "close")) as [number | null];
      this.#exitCode = code;
      return code;
    } catch (cause) {
      this.#exitCode = null;
      this.#errors += `${program} cannot be started: is it installed? (${String(cause)})`;
      throw new Error(this.#errors, { cause });
    }
  }
}
