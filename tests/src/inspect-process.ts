import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { builtBin } from "./line-program.ts";
import type { Place } from "./reference-clients/serve-context.ts";
import { PATIENCE_MS, until } from "./reference-clients/transcript.ts";
import { isObject, type JsonObject, parseJson } from "./reference-clients/wire.ts";

/** The built `idewire inspect --json`, as a process of its own; it is gone when the test ends. */
export class InspectRun {
  readonly events: JsonObject[] = [];
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";

  constructor({ folder, env }: Place, flags: readonly string[]) {
    const args = [builtBin, "inspect", "--json", ...flags];
    this.#child = spawn(process.execPath, args, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      cwd: folder,
      stdio: "pipe",
    });
    this.#child.stdout.on("data", (chunk) => {
      const lines = `${this.#output}${String(chunk)}`.split("\n");
      this.#output = lines.pop() ?? "";
      const values = lines.map((line) => parseJson(line)?.value);
      this.events.push(...values.filter(isObject));
    });
    this.#child.stderr.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    this.exited = once(this.#child, "close").then(([code]) => code as number | null);
    onTestFinished(async () => {
      this.#child.kill("SIGKILL");
      await this.exited;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The first event of a name. */
  event(name: string): Promise<JsonObject> {
    return until(
      `the event ${name}`,
      () => this.events.find(({ event }) => event === name),
      PATIENCE_MS,
      () => `\n${this.#errors}`,
    );
  }
}

export function startInspect(place: Place, flags: readonly string[] = []): InspectRun {
  return new InspectRun(place, flags);
}
