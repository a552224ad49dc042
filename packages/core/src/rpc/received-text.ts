import type { Redactor } from "./redactor.ts";

/** How much is quoted, in UTF-16 units. */
const MAX_QUOTED = 200;
/** How much is searched for secrets: one that is cut at the start is then not quoted. */
const MAX_STORED = 4_096;

/** The newest text that was received and belongs to no request. */
export class ReceivedText {
  #text = "";

  add(text: string): void {
    // A slice would keep the whole text in memory.
    const end = text.length > MAX_STORED ? Array.from(text.slice(-MAX_STORED)).join("") : text;
    this.#text = `${this.#text}\n${end}`.slice(-MAX_STORED);
  }

  /**
   * A quotation for an error message, without secrets; undefined if nothing was received.
   * @param partial what was received after that
   */
  async quote(partial: string, redactor: Redactor): Promise<string | undefined> {
    const text = `${this.#text}\n${partial.slice(-MAX_STORED)}`.trim();
    if (text === "") return undefined;
    // Loaded by the first quotation: most programs make none.
    const { redactSecrets } = await import("../secrets/find-secrets.ts");
    const safe = redactSecrets(redactor.redact(text), "[redacted]");
    const start = Math.max(0, safe.length - MAX_QUOTED + 1);
    return JSON.stringify(start === 0 ? safe : `…${safe.slice(start)}`);
  }
}
