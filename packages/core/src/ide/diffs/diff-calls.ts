import { IdewireError } from "../../errors.ts";
import type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  DiffOutcome,
  DiffRequest,
  EditorHost,
} from "../editor-host.ts";
import { closeReasonOf } from "./diff-end.ts";

const CANCELLED: DiffOutcome = { kind: "cancelled" };

/** Options for the diffs of one agent or one connection. */
export interface DiffCallsOptions {
  /**
   * Whether to keep a diff pending when the editor cancels it unasked, as it does when it ends: an agent
   * would take any answer for the person's, so the diff waits until the agent closes it.
   */
  readonly ignoreCancelled?: boolean;
  /** Called with errors of the editor in closing diffs when no caller awaits the result. */
  readonly onerror?: (error: unknown) => void;
}

interface DiffCall {
  readonly request: DiffRequest;
  readonly controller: AbortController;
  readonly settle: (outcome: DiffOutcome) => void;
  closing: Promise<ClosedDiff> | undefined;
}

/** The diffs that agents have proposed to an editor, until they are answered or closed. */
export class DiffCalls {
  readonly #editor: Pick<EditorHost, "openDiff" | "closeDiff">;
  readonly #options: DiffCallsOptions;
  readonly #calls = new Map<DiffId, DiffCall>();

  constructor(editor: Pick<EditorHost, "openDiff" | "closeDiff">, options: DiffCallsOptions = {}) {
    this.#editor = editor;
    this.#options = options;
  }

  /** The pending diffs, oldest first. */
  get requests(): readonly DiffRequest[] {
    const waiting = [...this.#calls.values()].filter(({ closing }) => closing === undefined);
    return waiting.map(({ request }) => request);
  }

  /** How much text is pending, in UTF-16 units. */
  get heldUnits(): number {
    let units = 0;
    for (const { request } of this.#calls.values()) units += request.proposed.length;
    return units;
  }

  /**
   * Proposes a diff, which is closed when `caller` is aborted. Resolves with the person's answer, or with
   * `cancelled` once the diff is closed. In an editor without `openDiff` it is pending until then.
   * @throws IdewireError `invalid-argument` when a diff with the same id is pending
   */
  open(request: DiffRequest, caller: AbortSignal): Promise<DiffOutcome> {
    const { id } = request;
    if (caller.aborted) return Promise.resolve(CANCELLED);
    if (this.#calls.has(id)) {
      const message = `a diff with the id ${JSON.stringify(id)} is already pending`;
      return Promise.reject(new IdewireError("invalid-argument", message));
    }
    const abandon = () => void this.#closeEach([id], closeReasonOf(caller));
    const outcome = this.#propose(request);
    caller.addEventListener("abort", abandon);
    const unsubscribe = () => caller.removeEventListener("abort", abandon);
    outcome.then(unsubscribe, unsubscribe);
    return outcome;
  }

  /**
   * The same for a caller that does not wait: an error of the editor is reported, and the diff cancelled.
   */
  propose(request: DiffRequest): Promise<DiffOutcome> {
    return this.open(request, new AbortController().signal).catch((error: unknown) => {
      this.#options.onerror?.(error);
      return CANCELLED;
    });
  }

  #propose(request: DiffRequest): Promise<DiffOutcome> {
    const { id } = request;
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const settle = (outcome: DiffOutcome) => {
        if (this.#calls.delete(id)) resolve(call.closing === undefined ? outcome : CANCELLED);
      };
      const call: DiffCall = { request, controller, settle, closing: undefined };
      const fail = (error: Error) => {
        if (call.closing !== undefined) settle(CANCELLED);
        else if (this.#calls.delete(id)) reject(error);
      };
      this.#calls.set(id, call);
      try {
        this.#editor.openDiff?.(request, controller.signal).then((outcome) => {
          const isIgnored = this.#options.ignoreCancelled === true && call.closing === undefined;
          if (outcome.kind !== "cancelled" || !isIgnored) settle(outcome);
        }, fail);
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  /** Closes the diffs that match; returns the editor's result for each. */
  closeThose(isNamed: (request: DiffRequest) => boolean): Promise<readonly ClosedDiff[]> {
    const ids = this.requests.filter(isNamed).map(({ id }) => id);
    return this.#closeEach(ids, "answered-elsewhere");
  }

  closeAll(why: CloseDiffReason): Promise<readonly ClosedDiff[]> {
    const ids = this.requests.map(({ id }) => id);
    return this.#closeEach(ids, why);
  }

  /**
   * Closes a diff in the editor; the result has the text as edited by the person so far.
   * @throws what the editor throws; the diff is settled all the same
   */
  close(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    const call = this.#calls.get(id);
    if (call === undefined) return Promise.resolve({ alreadyClosed: true });
    call.closing ??= this.#close(call, why);
    return call.closing;
  }

  /** The signal is aborted last: an editor that closes the diff by it cannot return the text. */
  async #close({ request, controller, settle }: DiffCall, why: CloseDiffReason) {
    try {
      const closed = await this.#editor.closeDiff?.(request.id, why);
      return closed ?? { alreadyClosed: false };
    } finally {
      controller.abort(why);
      settle(CANCELLED);
    }
  }

  #closeEach(ids: readonly DiffId[], why: CloseDiffReason): Promise<readonly ClosedDiff[]> {
    const closing = ids.map(async (id) => {
      try {
        return await this.close(id, why);
      } catch (error) {
        this.#options.onerror?.(error);
        return { alreadyClosed: false };
      }
    });
    return Promise.all(closing);
  }
}
