import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TIMEOUT_MS, until } from "./transcript.ts";
import type { JsonObject } from "./wire.ts";
import { isObject, parseJson } from "./wire.ts";

export interface ScriptedServeOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Flags besides `--script`. */
  readonly flags?: readonly string[];
  /** The program and the arguments before `serve`; the built `idewire` by default. */
  readonly command?: readonly [string, ...string[]];
}

/** A line of the server: an event with its number. */
export interface ServeEvent extends JsonObject {
  readonly event: string;
  readonly seq: number;
}

export interface ServeExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built command, or another one for trials of it. */
const builtBin =
  process.env["IDEWIRE_BIN"] ??
  fileURLToPath(new URL("../../../packages/cli/bin/idewire.js", import.meta.url));

/** Drives `serve <folder> --script` as the person. */
export class ScriptedServe {
  readonly events: ServeEvent[] = [];
  /** Lines on stdout that are not events. */
  readonly strayLines: string[] = [];
  readonly exited: Promise<ServeExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #taken = new Set<ServeEvent>();
  #stderr = "";
  #exit: ServeExit | undefined;

  constructor(options: ScriptedServeOptions) {
    const [program, ...before] = options.command ?? [process.execPath, builtBin];
    const args = [...before, "serve", options.folder, "--script", ...(options.flags ?? [])];
    const env = { PATH: process.env["PATH"] ?? "", ...options.env };
    this.#child = spawn(program, args, { env, cwd: options.folder, stdio: "pipe" });
    this.#child.stdin.on("error", () => undefined);
    this.#child.stderr.on("data", (chunk) => {
      this.#stderr += String(chunk);
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#onLine(line));
    this.exited = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** All output, for tests of messages to people. */
  get output(): string {
    return [
      ...this.events.map((event) => JSON.stringify(event)),
      ...this.strayLines,
      this.#stderr,
    ].join("\n");
  }

  /** The oldest unread event with a name and the given fields. */
  async event(
    name: string,
    fields: JsonObject = {},
    timeoutMs: number = TIMEOUT_MS,
  ): Promise<ServeEvent> {
    const found = await until(
      `event ${name} ${JSON.stringify(fields)}`,
      () => {
        const event = this.#find(name, fields);
        if (!event && this.#exit) throw new Error(`serve ended: ${this.describe()}`);
        return event;
      },
      timeoutMs,
      () => this.describe(),
    );
    this.#taken.add(found);
    return found;
  }

  /** Sends a command and waits until it is done; fails on `error` and `unsupported`. */
  async do(action: JsonObject & { readonly do: string }): Promise<void> {
    const from = this.events.length;
    this.type(action);
    const outcomes = ["done", "error", "unsupported"];
    const end = await until(
      `an end of ${JSON.stringify(action)}`,
      () =>
        this.events
          .slice(from)
          .find((event) => outcomes.includes(event.event) && event["do"] === action.do),
      TIMEOUT_MS,
      () => this.describe(),
    );
    if (end.event !== "done") throw new Error(JSON.stringify(end));
    this.#taken.add(end);
  }

  type(action: JsonObject | string): void {
    const line = typeof action === "string" ? action : JSON.stringify(action);
    this.#child.stdin.write(`${line}\n`);
  }

  /** Ends its input. */
  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills the process if it still runs, and waits for its exit. */
  async close(): Promise<void> {
    if (!this.#exit) this.#child.kill("SIGKILL");
    await this.exited;
  }

  describe(): string {
    return `\n${this.output.slice(-2000)}\n(exit ${JSON.stringify(this.#exit)})`;
  }

  #onLine(line: string): void {
    const value = parseJson(line)?.value;
    if (!isObject(value)) this.strayLines.push(line);
    else if (typeof value["event"] !== "string" || typeof value["seq"] !== "number") {
      this.strayLines.push(line);
    } else this.events.push(value as ServeEvent);
  }

  #find(name: string, fields: JsonObject): ServeEvent | undefined {
    return this.events.find(
      (event) =>
        event.event === name &&
        !this.#taken.has(event) &&
        Object.entries(fields).every(([key, value]) => event[key] === value),
    );
  }
}
