import type { Position, Range } from "@idewire/core";

/** The files of a workspace before their first change, as far as a trace shows them. */
export class InitialFiles {
  readonly #whole = new Map<string, string>();
  readonly #lines = new Map<string, string[]>();
  /** Files written since: their later texts do not reveal the initial one. */
  readonly #written = new Set<string>();

  /** The whole text of a file. */
  whole(name: string, text: string): void {
    if (!this.#written.has(name) && !this.#whole.has(name)) this.#whole.set(name, text);
  }

  /** The file extends at least to this position. */
  reach(name: string, { line, character }: Position): void {
    if (this.#written.has(name)) return;
    const lines = this.#lines.get(name) ?? [];
    this.#lines.set(name, lines);
    // A wrong line number must not create a huge file.
    while (lines.length <= Math.min(line, 100_000)) lines.push("");
    const last = lines[line];
    if (last !== undefined) lines[line] = last.padEnd(Math.min(character, 10_000));
  }

  /** The text of a range. */
  piece(name: string, { start, end }: Range, text: string): void {
    if (this.#written.has(name)) return;
    this.reach(name, { line: Math.max(start.line, end.line), character: 0 });
    const lines = this.#lines.get(name) ?? [];
    for (const [at, part] of text.split("\n").entries()) {
      const known = lines[start.line + at];
      if (known === undefined) return;
      const from = at === 0 ? start.character : 0;
      const head = known.slice(0, from).padEnd(Math.min(from, 10_000));
      lines[start.line + at] = head + part + known.slice(from + part.length);
    }
  }

  /** The file's text is replaced. */
  written(name: string): void {
    this.#written.add(name);
  }

  isWhole(name: string): boolean {
    return this.#whole.has(name) || this.#written.has(name);
  }

  /** The files by name, and those of which only parts are known. */
  end(): { readonly files: Readonly<Record<string, string>>; readonly partial: readonly string[] } {
    const partial = [...this.#lines.keys()].filter((name) => !this.#whole.has(name));
    const texts = partial.map((name): [string, string] => {
      return [name, `${(this.#lines.get(name) ?? []).join("\n")}\n`];
    });
    return { files: Object.fromEntries([...texts, ...this.#whole]), partial };
  }
}
