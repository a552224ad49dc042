import { builtBin, LineProgram } from "./line-program.ts";
import type { Workspace } from "./reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "./reference-clients/transcript.ts";
import { isObject, type JsonObject, parseJson } from "./reference-clients/wire.ts";

/** The built `idewire inspect --json` in a separate process, which is terminated with the test. */
export class InspectRun {
  readonly #program: LineProgram;

  constructor({ folder, env }: Workspace, flags: readonly string[]) {
    const args = [builtBin, "inspect", "--json", ...flags];
    this.#program = new LineProgram(process.execPath, args, { env, cwd: folder });
  }

  get exited(): Promise<number | null> {
    return this.#program.exited;
  }

  get pid(): number {
    return this.#program.pid;
  }

  get events(): JsonObject[] {
    const lines = this.#program.output.split("\n").slice(0, -1);
    return lines.map((line) => parseJson(line)?.value).filter(isObject);
  }

  kill(signal: NodeJS.Signals): void {
    this.#program.kill(signal);
  }

  /** The first event with a name. */
  event(name: string): Promise<JsonObject> {
    return until(
      `the event ${name}`,
      () => this.events.find(({ event }) => event === name),
      TIMEOUT_MS,
      () => this.#program.describe(),
    );
  }
}

export function startInspect(workspace: Workspace, flags: readonly string[] = []): InspectRun {
  return new InspectRun(workspace, flags);
}
