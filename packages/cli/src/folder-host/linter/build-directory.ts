import type { PosixPath } from "@idewire/core";
import { resolveFile } from "./matcher-run.ts";

const MOVED =
  /^(?:\S*make(?:\.exe)?|ninja)(?:\[\d+\])?: (Entering|Leaving) directory [`'"\u2018](.+)['"\u2019]$/;

/** The directory in which a build runs its commands, as make and ninja print it. */
export class BuildDirectory {
  readonly #folder: PosixPath;
  /** The directories entered and not left: several at a time with `make -j`. */
  readonly #entered: PosixPath[] = [];

  constructor(folder: PosixPath) {
    this.#folder = folder;
  }

  /** Undefined in the folder itself. */
  get current(): PosixPath | undefined {
    return this.#entered.at(-1);
  }

  push(line: string): void {
    const [, what, directory] = MOVED.exec(line) ?? [];
    const path = directory === undefined ? undefined : resolveFile(this.#folder, directory);
    if (path === undefined) return;
    if (what === "Entering") {
      this.#entered.push(path);
      return;
    }
    const at = this.#entered.lastIndexOf(path);
    if (at >= 0) this.#entered.splice(at, 1);
  }
}
