import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type Environment, stateDirectory } from "@idewire/node-server/internal/files";

/** How long the log of a run is stored. */
const KEPT_MS = 7 * 86_400_000;
/** Further lines are only in the file. */
const MAX_LISTED = 20;
/** A limit, so that endless warnings do not fill the disk. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The output of idewire while an agent uses the terminal: written to a file, and listed afterwards. */
export class RunLog {
  readonly path: string;
  /** Replaces stderr. */
  readonly output: Writable;
  readonly #directory: string;
  readonly #lines: string[] = [];
  #partial = "";
  #bytes = 0;
  #count = 0;

  constructor(env: Environment) {
    this.#directory = join(stateDirectory(env), "runs");
    const at = new Date().toISOString().replace(/[:.]/g, "-");
    this.path = join(this.#directory, `${at}-${process.pid}.log`);
    this.output = new Writable({
      decodeStrings: false,
      write: (chunk: Buffer | string, _, done) => {
        this.#write(String(chunk));
        done();
      },
    });
  }

  /** The first lines, and the total number. */
  get lines(): { readonly listed: readonly string[]; readonly count: number } {
    return { listed: this.#lines, count: this.#count };
  }

  #write(text: string): void {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    this.#count += lines.length;
    this.#lines.push(...lines.slice(0, Math.max(0, MAX_LISTED - this.#lines.length)));
    if (lines.length > 0) this.#append(`${lines.join("\n")}\n`);
  }

  #append(text: string): void {
    if (this.#bytes === 0) this.#prepare();
    this.#bytes += text.length;
    if (this.#bytes > MAX_BYTES) return;
    try {
      appendFileSync(this.path, text, { mode: 0o600 });
    } catch {
      // They are listed all the same.
    }
  }

  #prepare(): void {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      for (const name of readdirSync(this.#directory)) {
        const old = join(this.#directory, name);
        if (Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { force: true });
      }
    } catch {
      // A full disk, or none.
    }
  }
}
