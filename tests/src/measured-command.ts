import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { builtBin } from "./line-program.ts";
import { openFixture } from "./reference-clients/context.ts";
import type { Fixture } from "./reference-clients/fixture.ts";

/** Four times the limit of a message, and 50 MB. */
export const MOST_BYTES: number = 4 * 16 * 2 ** 20 + 50_000_000;

/** The time from a signal to the exit: a loaded machine stays below it, a command that hangs does not. */
export const MOST_EXIT_MS = 10_000;
/** The log of an inspection, and its queued entries: 16 million characters each. */
export const LOG_BYTES: number = 2 * 2 * 16_000_000;

const SETTLED_BYTES = 2 ** 19;

/** A command in a separate process, and its peak memory. */
export class MeasuredCommand {
  readonly exited: Promise<unknown>;
  readonly child: ChildProcess;
  peak = 0;
  /** How long it was runnable while another process had the CPU. */
  #waitedMs = 0;
  #ranMs = 0;

  constructor(args: readonly string[], isRead: boolean, fixture: Fixture = openFixture()) {
    const { env, workspace: cwd } = fixture;
    this.child = spawn(process.execPath, [builtBin, ...args], {
      env: { PATH: process.env["PATH"], ...env },
      cwd,
    });
    const { stdout, stderr } = this.child;
    if (isRead) stdout?.resume();
    stderr?.resume();
    const timer = setInterval(() => this.#look(), 20);
    this.exited = once(this.child, "exit").finally(() => clearInterval(timer));
    onTestFinished(async () => {
      this.child.kill("SIGKILL");
      await this.exited;
    });
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * The peak memory once it has grown by less than half a mebibyte in half a second of CPU time, or the command
   * has exited. A command that stores the flood grows by far more.
   * @param begun resolves when the measured operation has begun
   */
  async settled(begun?: Promise<unknown>): Promise<number> {
    await Promise.race([begun, this.exited]);
    let before = -SETTLED_BYTES;
    while (!this.isOver && this.peak - before >= SETTLED_BYTES) {
      before = this.peak;
      await Promise.race([this.exited, this.#untilItRan(500)]);
    }
    if (this.peak === 0) throw new Error("The command ended before its memory was measured");
    return this.peak;
  }

  /** Interrupts it; resolves to the time until its exit, without the time in which other processes had the CPU. */
  async interrupt(): Promise<number> {
    this.#look();
    const startedMs = performance.now() - this.#waitedMs;
    this.child.kill("SIGINT");
    await this.exited;
    return performance.now() - this.#waitedMs - startedMs;
  }

  /** Resolves when it has used so much CPU time, or after a second, as it may be idle. */
  async #untilItRan(ms: number): Promise<void> {
    const startedMs = performance.now();
    const ranMs = this.#ranMs;
    while (this.#ranMs - ranMs < ms && performance.now() - startedMs < 1_000) await sleep(20);
  }

  #look(): void {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
      // An exited command has no memory.
      const kilobytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
      if (kilobytes !== undefined) this.peak = Number(kilobytes) * 1_024;
      const [ranNs, waitedNs = "0"] = readFileSync(
        `/proc/${this.child.pid}/schedstat`,
        "utf8",
      ).split(" ");
      this.#ranMs = Math.max(this.#ranMs, Number(ranNs) / 1e6);
      this.#waitedMs = Math.max(this.#waitedMs, Number(waitedNs) / 1e6);
    } catch {
      // It has exited.
    }
  }
}
