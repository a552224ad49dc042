import type { Platform } from "../../paths/posix-path.ts";
import type { ClosedDiff, DiffId, EditorHost } from "../editor-host.ts";
import type { CloseDiffParams, OpenDiffParams, OpenDiffResult } from "./wire-calls.ts";
import { checkedPath } from "./wire-fault.ts";

/** The proposals that the other end has shown here. */
export class ServedDiffs {
  readonly #host: EditorHost;
  readonly #platform: Platform;
  readonly #open = new Map<DiffId, AbortController>();

  constructor(host: EditorHost, platform: Platform) {
    this.#host = host;
    this.#platform = platform;
  }

  /** @param gone aborted when the other end has gone */
  async open(params: OpenDiffParams, gone: AbortSignal): Promise<OpenDiffResult> {
    const path = checkedPath("path", params.path, this.#platform);
    const oldPath = checkedPath("oldPath", params.oldPath, this.#platform);
    const controller = new AbortController();
    gone.addEventListener("abort", () => controller.abort("session-gone"), { once: true });
    this.#open.set(params.id, controller);
    try {
      const request = { ...params, path, oldPath };
      const outcome = await this.#host.openDiff?.(request, controller.signal);
      if (outcome?.kind !== "accepted") return outcome ?? { kind: "cancelled" };
      return { kind: "accepted", text: outcome.text };
    } finally {
      if (this.#open.get(params.id) === controller) this.#open.delete(params.id);
    }
  }

  /** A host that cannot close a diff hears of it by its signal alone. */
  async close({ id, why }: CloseDiffParams): Promise<ClosedDiff> {
    const controller = this.#open.get(id);
    try {
      const closed = await this.#host.closeDiff?.(id, why);
      return closed ?? { alreadyClosed: controller === undefined };
    } finally {
      controller?.abort(why);
    }
  }
}
