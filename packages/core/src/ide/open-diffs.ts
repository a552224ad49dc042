import { IdewireError } from "../errors.ts";
import type {
  CloseDiffReason,
  DiffId,
  DiffOutcome,
  DiffRequest,
  EditorHost,
} from "./editor-host.ts";

interface OpenDiff {
  readonly request: DiffRequest;
  readonly controller: AbortController;
  readonly settle: (outcome: DiffOutcome) => void;
}

/** The proposals of one session that wait for an answer. */
export class OpenDiffs {
  readonly #host: EditorHost;
  readonly #onerror: (error: unknown) => void;
  readonly #open = new Map<DiffId, OpenDiff>();

  /** @param onerror hears what fails when the host closes a diff: no agent waits for that */
  constructor(host: EditorHost, onerror: (error: unknown) => void) {
    this.#host = host;
    this.#onerror = onerror;
  }

  get requests(): readonly DiffRequest[] {
    return [...this.#open.values()].map((diff) => diff.request);
  }

  /**
   * Shows a proposal; settles with the person's answer, or `cancelled` when it is closed from
   * outside. A host without `openDiff` leaves it to the agent to settle it, and so does one that
   * cancels by itself, as an editor does that goes: to the agent any answer would be the person's.
   */
  open(request: DiffRequest, caller: AbortSignal): Promise<DiffOutcome> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const abandon = () => void this.close(request.id, whyAborted(caller));
      const forget = () => {
        caller.removeEventListener("abort", abandon);
        return this.#open.delete(request.id);
      };
      const settle = (outcome: DiffOutcome) => {
        if (forget()) resolve(outcome);
      };
      const fail = (error: Error) => {
        if (forget()) reject(error);
      };
      this.#open.set(request.id, { request, controller, settle });
      caller.addEventListener("abort", abandon);
      try {
        this.#host.openDiff?.(request, controller.signal).then((outcome) => {
          if (outcome.kind !== "cancelled") settle(outcome);
        }, fail);
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  /** Closes every proposal that an agent names so; says how many there were. */
  async closeThose(isNamed: (request: DiffRequest) => boolean): Promise<number> {
    const ids = this.requests.filter(isNamed).map(({ id }) => id);
    return this.#closeEach(ids, "answered-elsewhere");
  }

  closeAll(why: CloseDiffReason): Promise<number> {
    return this.#closeEach([...this.#open.keys()], why);
  }

  async close(id: DiffId, why: CloseDiffReason): Promise<void> {
    const diff = this.#open.get(id);
    if (diff === undefined) return;
    diff.settle({ kind: "cancelled" });
    diff.controller.abort(why);
    try {
      await this.#host.closeDiff?.(id, why);
    } catch (error) {
      this.#onerror(error);
    }
  }

  async #closeEach(ids: readonly DiffId[], why: CloseDiffReason): Promise<number> {
    await Promise.all(ids.map((id) => this.close(id, why)));
    return ids.length;
  }
}

/** A call ends with its connection, or because the agent cancels it. */
function whyAborted({ reason }: AbortSignal): CloseDiffReason {
  const isGone = reason instanceof IdewireError && reason.code === "closed";
  return isGone ? "session-gone" : "asked";
}
