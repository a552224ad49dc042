import type { RequestId, SessionStore } from "@idewire/core/internal";

/** The limit of sessions with remembered releases: a store may be unreachable for long. */
const MAX_SESSIONS = 10_000;
const MAX_CALLS = 256;
/** Longer ids are unlikely to be used again. */
const MAX_ID_LENGTH = 100;

/** Ends calls in the store once it is reachable again. */
export class Unreleased {
  readonly #sessions: Pick<SessionStore, "release">;
  readonly #report: (error: unknown) => void;
  readonly #calls = new Map<string, readonly RequestId[]>();

  constructor(sessions: Pick<SessionStore, "release">, report: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#report = report;
  }

  release(session: string, calls: readonly RequestId[]): void {
    if (calls.length === 0) return;
    this.#sessions.release(session, calls).catch((error: unknown) => {
      this.add(session, calls);
      this.#report(error);
    });
  }

  /** Remembers calls that have ended, but may still be in flight in the store. */
  add(session: string, calls: readonly RequestId[]): void {
    const known = this.#calls.get(session);
    if (known === undefined && this.#calls.size >= MAX_SESSIONS) return;
    const short = calls.filter((call) => String(call).length <= MAX_ID_LENGTH);
    const all = [...new Set([...short, ...(known ?? [])])].slice(0, MAX_CALLS);
    if (all.length > 0) this.#calls.set(session, all);
  }

  /** Tries again. */
  retry(): void {
    const all = [...this.#calls];
    this.#calls.clear();
    for (const [session, calls] of all) this.release(session, calls);
  }
}
