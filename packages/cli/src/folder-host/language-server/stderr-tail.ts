const MAX_LENGTH = 200;

const TROUBLE = /error|exception|panic|fatal|failed|cannot|can't|unable|not found|usage/i;

/**
 * The probable reason for a program's exit, from its stderr: the last line that mentions an error, or the last
 * line.
 */
export class StderrTail {
  #last = "";
  #trouble = "";

  get text(): string {
    return this.#trouble || this.#last;
  }

  add(line: string): void {
    const words = line.trim().slice(0, MAX_LENGTH);
    if (words === "") return;
    this.#last = words;
    if (TROUBLE.test(words)) this.#trouble = words;
  }
}
