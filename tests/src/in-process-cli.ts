import { PassThrough } from "node:stream";
import { type CommandIo, main, type StopSignal } from "idewire";
import { onTestFinished } from "vitest";
import type { Fixture } from "./reference-clients/fixture.ts";
import { TIMEOUT_MS, until } from "./reference-clients/transcript.ts";

export interface CliRunOptions {
  /** The arguments after `idewire`, which runs in the workspace of the fixture. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The size of the terminal; without it the streams are not a terminal. */
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

/** The `idewire` command from source, in this process, with its own streams. */
export class CliRun {
  readonly exited: Promise<number>;
  /** The codes with which it requested an immediate exit. */
  readonly exits: number[] = [];
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly #stderr: PassThrough;
  readonly #signalListeners = new Set<(signal: StopSignal) => void>();
  #output = "";
  #errors = "";
  #exitCode: number | undefined;

  constructor(fixture: Fixture, { args, env, terminal }: CliRunOptions) {
    const tty = terminal && { isTTY: true, ...terminal };
    this.stdin = Object.assign(new PassThrough(), tty);
    this.stdout = Object.assign(new PassThrough(), tty);
    this.#stderr = Object.assign(new PassThrough(), tty);
    this.stdout.on("data", (chunk) => {
      this.#output += String(chunk);
    });
    this.#stderr.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    const io: CommandIo = {
      stdin: this.stdin,
      stdout: this.stdout,
      stderr: this.#stderr,
      env: { PATH: process.env["PATH"], ...fixture.env, ...env },
      cwd: fixture.workspace,
      exit: (code) => void this.exits.push(code),
      onSignal: (listener) => {
        this.#signalListeners.add(listener);
        return () => this.#signalListeners.delete(listener);
      },
    };
    this.exited = main(args, io);
    void this.exited.then((code) => {
      this.#exitCode = code;
    });
    onTestFinished(async () => {
      if (this.#exitCode === undefined) this.signal("SIGTERM");
      await this.exited;
    });
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  /** Its stderr without the notice about a slow program, which a busy machine may cause. */
  get errorsOnceStarted(): string {
    return this.#errors.replace(/^.* has not answered yet\..*\n.* Ctrl-C ends this\.\n/m, "");
  }

  /** Everything on stdout, parsed as events. */
  get events(): readonly Readonly<Record<string, unknown>>[] {
    const lines = this.#output.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  signal(signal: StopSignal): void {
    for (const listener of [...this.#signalListeners]) listener(signal);
  }

  /** Types a line, or sends a command. */
  type(line: string | object): void {
    this.stdin.write(typeof line === "string" ? `${line}\n` : `${JSON.stringify(line)}\n`);
  }

  /** Waits until stdout contains a text after the position `from`. */
  async shows(text: string, from = 0): Promise<string> {
    await until(
      `the text ${JSON.stringify(text)}`,
      () => this.#output.slice(from).includes(text),
      TIMEOUT_MS,
      () => `\n${this.#output.slice(from)}\n${this.#errors}`,
    );
    return this.#output.slice(from);
  }

  /** Waits for an event with these members. */
  async event(
    event: string,
    members: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const wanted = Object.entries({ event, ...members });
    return until(
      `the event ${JSON.stringify({ event, ...members })}`,
      () => this.events.find((seen) => wanted.every(([key, value]) => seen[key] === value)),
      TIMEOUT_MS,
      () => `\n${this.#output}\n${this.#errors}`,
    );
  }
}
