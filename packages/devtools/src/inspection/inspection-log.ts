import type { TraceFact } from "../trace/format/trace-event.ts";
import { EventLog } from "../trace/recording/event-log.ts";
import { EventRecorder } from "../trace/recording/event-recorder.ts";
import { createRedactor } from "../trace/redaction/redact.ts";

/** How much is stored for pages that are opened later. */
const KEPT = { maxEvents: 20_000, maxUnits: 16_000_000 };

/**
 * The traffic of an inspection, as a log for the page. Frames are recorded unchanged, except for the known secrets,
 * which are never recorded.
 */
export class InspectionLog {
  readonly log: EventLog = new EventLog(KEPT);
  readonly #redactor = createRedactor({ only: [] });
  readonly #recorder: EventRecorder;
  #connections = 0;

  /** @param defer calls back in a later turn of the event loop, as `setImmediate` does */
  constructor(defer: (work: () => void) => void) {
    this.#recorder = new EventRecorder({
      redactor: this.#redactor,
      take: (event) => void this.log.adopt(event),
      defer,
    });
  }

  /** Removes this text from the log from now on, in any encoding. */
  hide(secret: string | undefined): void {
    if (secret !== undefined) this.#redactor.hide(secret);
  }

  /** A text as it would be logged. */
  redact(text: string): string {
    const event = this.#redactor.redact({ n: 0, t: 0, ev: "transcript", text });
    return event.ev === "transcript" ? event.text : text;
  }

  /** The name of the next connection. */
  name(): string {
    this.#connections += 1;
    return `c${this.#connections}`;
  }

  /** Logs a message for the person. */
  print(text: string): void {
    this.append({ ev: "transcript", text, who: "idewire" });
  }

  /** Logs the events that still wait to be redacted. */
  finish(): void {
    this.#recorder.finish();
  }

  append(fact: TraceFact): void {
    this.#recorder.add({ n: 0, t: this.log.nowMs, ...fact });
  }
}
