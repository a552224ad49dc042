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

/** How the proposals of one agent, or of one connection, are dealt with. */
export interface DiffCallsOptions {
  /**
   * An editor that cancels a diff unasked, as one does that ends, has decided nothing: the proposal
   * waits until the agent closes it. To an agent any answer would be the person's.
   */
  readonly ignoreCancelled?: boolean;
  /** Receives what fails in the editor when it closes a diff and nobody waits for that. */
  readonly onerror?: (error: unknown) => void;
}

interface DiffCall {
  readonly request: DiffRequest;
  readonly controller: AbortController;
  readonly settle: (outcome: DiffOutcome) => void;
  closing: Promise<ClosedDiff> | undefined;
}

/** The proposals that agents have made to an editor, until they are answered or closed. */
export class DiffCalls {
  readonly #editor: Pick<EditorHost, "openDiff" | "closeDiff">;
  readonly #options: DiffCallsOptions;
  readonly #calls = new Map<DiffId, DiffCall>();

  constructor(editor: Pick<EditorHost, "openDiff" | "closeDiff">, options: DiffCallsOptions = {}) {
    this.#editor = editor;
    this.#options = options;
  }

  /** The proposals that wait for an answer, oldest first. */
  get requests(): readonly DiffRequest[] {
    const waiting = [...this.#calls.values()].filter(({ closing }) => closing === undefined);
    return waiting.map(({ request }) => request);
  }

  /** Makes a proposal that ends with the call that makes it: see {@link propose}. */
  open(request: DiffRequest, caller: AbortSignal): Promise<DiffOutcome> {
    if (caller.aborted) return Promise.resolve(CANCELLED);
    const abandon = () => void this.#closeEach([request.id], closeReasonOf(caller));
    const outcome = this.propose(request);
    caller.addEventListener("abort", abandon);
    const unsubscribe = () => caller.removeEventListener("abort", abandon);
    outcome.then(unsubscribe, unsubscribe);
    return outcome;
  }

  /**
   * Makes a proposal that outlives the call that makes it. It settles with the person's answer, or
   * `cancelled` once the editor has closed it. In an editor without `openDiff` it waits until it is
   * closed.
   */
  propose(request: DiffRequest): Promise<DiffOutcome> {
    const { id } = request;
    if (this.#calls.has(id)) {
      const message = `a proposal with the id ${JSON.stringify(id)} waits already`;
      return Promise.reject(new IdewireError("invalid-argument", message));
    }
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

  /** Closes every proposal that an agent names so; returns what the editor says of each. */
  closeThose(isNamed: (request: DiffRequest) => boolean): Promise<readonly ClosedDiff[]> {
    const ids = this.requests.filter(isNamed).map(({ id }) => id);
    return this.#closeEach(ids, "answered-elsewhere");
  }

  closeAll(why: CloseDiffReason): Promise<readonly ClosedDiff[]> {
    const ids = this.requests.map(({ id }) => id);
    return this.#closeEach(ids, why);
  }

  /**
   * Takes a proposal from the editor's screen; the text is as the person has edited it so far.
   * @throws what the editor throws; the proposal is settled all the same
   */
  close(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    const call = this.#calls.get(id);
    if (call === undefined) return Promise.resolve({ alreadyClosed: true });
    call.closing ??= this.#close(call, why);
    return call.closing;
  }

  /** The signal comes last: an editor that closes by it cannot return the text. */
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
