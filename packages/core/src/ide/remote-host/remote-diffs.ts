import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  DiffOutcome,
  DiffRequest,
} from "../editor-host.ts";
import type { EditorLink } from "./editor-link.ts";
import * as HostMethod from "./host-method.ts";
import { closeDiffResult, openDiffResult } from "./wire-calls.ts";

/** How long an editor may take to close a diff that nobody wants any more. */
const CLOSE_TIMEOUT_MS = 5_000;

const CANCELLED: DiffOutcome = { kind: "cancelled" };

/** The proposals that an editor over the wire shows. */
export class RemoteDiffs {
  readonly #link: EditorLink;
  readonly #platform: Platform;
  readonly #open = new Map<DiffId, (outcome: DiffOutcome) => void>();
  readonly #closing = new Map<DiffId, Promise<ClosedDiff>>();

  constructor(link: EditorLink, platform: Platform) {
    this.#link = link;
    this.#platform = platform;
  }

  /** Settles once the editor has answered, or has let go of what was aborted. */
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    if (signal.aborted) return Promise.resolve(CANCELLED);
    const { id } = request;
    return new Promise((resolve, reject) => {
      const abort = () => void this.close(id, whyAborted(signal));
      signal.addEventListener("abort", abort);
      const forget = () => {
        signal.removeEventListener("abort", abort);
        this.#open.delete(id);
      };
      const settle = (outcome: DiffOutcome) => {
        forget();
        resolve(outcome);
      };
      this.#open.set(id, settle);
      this.#ask(request).then(settle, (error: Error) => {
        if (this.#link.gone) return settle(CANCELLED);
        forget();
        reject(error);
      });
    });
  }

  /** Takes a proposal from the editor's screen, whatever the editor says to that. */
  close(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    if (!this.#open.has(id)) return Promise.resolve({ alreadyClosed: true });
    const running = this.#closing.get(id);
    if (running !== undefined) return running;
    const closing = this.#close(id, why).finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  async #close(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    try {
      const asked = HostMethod.CloseDiff;
      return await this.#link.askNow(asked, { id, why }, closeDiffResult, CLOSE_TIMEOUT_MS);
    } catch {
      // An editor that cannot close it has it on the screen still; its answer is not awaited.
      return { alreadyClosed: false };
    } finally {
      this.#open.get(id)?.(CANCELLED);
    }
  }

  async #ask(request: DiffRequest): Promise<DiffOutcome> {
    const params = {
      ...request,
      path: toNativePath(request.path, this.#platform),
      oldPath: toNativePath(request.oldPath, this.#platform),
    };
    const outcome = await this.#link.ask(HostMethod.OpenDiff, params, openDiffResult, Infinity);
    if (outcome.kind !== "accepted") return outcome;
    const { text = request.proposed } = outcome;
    return { kind: "accepted", text, edited: text !== request.proposed };
  }
}

/** Whoever aborts may say why. */
function whyAborted({ reason }: AbortSignal): CloseDiffReason {
  return reason === "answered-elsewhere" || reason === "session-gone" ? reason : "asked";
}
