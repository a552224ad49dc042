import { clearTimeout, setTimeout } from "node:timers";
import type { PosixPath } from "@idewire/core";
import { toNative } from "@idewire/node-server/internal/files";
import { type ChildCommand, type CommandEnd, startCommand } from "../command/child-command.ts";
import { OutputLines } from "../command/output-lines.ts";
import type { LinterOptions } from "../provider-options.ts";
import { locateProblems } from "./located-problems.ts";
import type { LinterProblem } from "./matcher-run.ts";
import { OutputReader } from "./output-reader.ts";

const TIMEOUT_MS = 120_000;

/** A run that prints more is terminated. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** The outcome of a run. */
export interface LinterOutcome {
  readonly problems: readonly LinterProblem[];
  readonly end: CommandEnd;
  /** Why the problems are incomplete or unknown. */
  readonly trouble: "too-long" | "too-much" | "too-slow" | undefined;
  /** The first line of its output. */
  readonly firstLine: string;
}

/** One run of a linter or compiler. */
export class LinterRun {
  readonly outcome: Promise<LinterOutcome>;
  readonly #child: ChildCommand;
  readonly #reader: OutputReader;
  readonly #onLine: LinterOptions["onLine"];
  #trouble: LinterOutcome["trouble"];
  #bytes = 0;
  #firstLine = "";

  constructor(
    { command, matchers, timeoutMs = TIMEOUT_MS, onLine }: LinterOptions,
    folder: PosixPath,
  ) {
    this.#onLine = onLine;
    this.#reader = new OutputReader(matchers, folder);
    this.#child = startCommand(command, {
      cwd: toNative(folder),
      env: { NO_COLOR: "1" },
      hasInput: false,
    });
    const timer = setTimeout(() => this.#stop("too-long"), timeoutMs);
    const lines = [this.#read(0), this.#read(1)];
    this.outcome = this.#child.ended.then(async (end) => {
      clearTimeout(timer);
      for (const stream of lines) stream.end();
      const problems = await locateProblems(this.#reader.end(), folder);
      if (this.#reader.isTooSlow) this.#trouble ??= "too-slow";
      return { problems, end, trouble: this.#trouble, firstLine: this.#firstLine };
    });
  }

  async close(): Promise<void> {
    await this.#child.end({ endMs: 0, terminateMs: 300 });
  }

  #read(stream: 0 | 1): OutputLines {
    const lines = new OutputLines((line) => {
      this.#firstLine ||= line.trim().slice(0, 200);
      if (stream === 1) this.#onLine?.(line);
      this.#reader.push(stream, line);
    });
    const source = stream === 0 ? this.#child.output : this.#child.errors;
    source.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#trouble !== undefined) return;
      lines.push(chunk);
      if (this.#bytes > MAX_OUTPUT_BYTES) this.#stop("too-much");
      else if (this.#reader.isTooSlow) this.#stop("too-slow");
    });
    return lines;
  }

  #stop(trouble: NonNullable<LinterOutcome["trouble"]>): void {
    this.#trouble ??= trouble;
    void this.close();
  }
}
