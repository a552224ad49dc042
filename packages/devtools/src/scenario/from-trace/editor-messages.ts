import type { Range } from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { TracedMessage } from "../../trace/conversation/conversation.ts";
import { translateAnswer } from "./answers.ts";
import { isRange, translateDiagnostics } from "./diagnostics.ts";
import type { Translation } from "./translation.ts";

/** How long after the handshake an editor sends the current selection, at most. */
const FIRST_STATE_MS = 1_000;

/** Translates messages of the editor into actions of the person. */
export class EditorMessages {
  readonly #into: Translation;
  /** The newest selection: it is sent again on each connection. */
  #selection = "";

  constructor(into: Translation) {
    this.#into = into;
  }

  translate({ kind, method, request, value }: TracedMessage, t: number): void {
    const { omissions, calls } = this.#into;
    if (method !== undefined) {
      const params = isObject(value.params) ? value.params : {};
      if (kind === "notification") this.#notification(method, params, t);
      else omissions.add(`${method}: a scenario sends no requests`);
      return;
    }
    const call = request === undefined ? undefined : calls.get(request);
    if (request === undefined || call === undefined) {
      omissions.add("an unsolicited reply: no request of the agent has its id");
      return;
    }
    calls.delete(request);
    translateAnswer({ ...request, ...call }, value, { t, into: this.#into });
  }

  #notification(method: string, params: Params, t: number): void {
    const { names, omissions } = this.#into;
    switch (method) {
      case "selection_changed":
      case "notifications/selection_changed":
        this.#selected(params, t);
        return;
      case "at_mentioned":
        this.#mentioned(params, t);
        return;
      case "diagnostics_changed": {
        const into = this.#into;
        const step = translateDiagnostics(params, into);
        if (step !== undefined) into.notice(step, t);
        return;
      }
      // The simulated editor sends it too.
      case "notifications/ide_connected":
        return;
      default:
        if (method.startsWith("notifications/")) {
          omissions.add(`${method}: the simulated editor sends its own`);
          return;
        }
        if (names.isNamedIn(params)) {
          omissions.add(`${method}: it names a path, which differs from run to run`);
          return;
        }
        this.#into.notice({ do: "notify", method, params }, t);
    }
  }

  #selected(params: Params, t: number): void {
    const state = JSON.stringify(params);
    const isFirst = this.#selection === "";
    if (state === this.#selection) return;
    this.#selection = state;
    const named = params["filePath"] ?? params["file_path"];
    if (named === undefined || named === null || named === "") {
      if (!isFirst) this.#into.notice({ do: "clearSelection" }, t);
      return;
    }
    const path = this.#into.fileOf(named, "selection");
    if (path !== undefined) this.#select(path, { params, isFirst, t });
  }

  #select(
    path: string,
    {
      params,
      isFirst,
      t,
    }: { readonly params: Params; readonly isFirst: boolean; readonly t: number },
  ): void {
    const { files, omissions, steps, phase, phaseMs } = this.#into;
    const ranges = Array.isArray(params["ranges"]) ? params["ranges"].filter(isObject) : [];
    const [part = params] = ranges;
    const range = rangeOf(part["selection"] ?? part["range"]);
    if (ranges.length > 1) omissions.add("selection: of several ranges only the first");
    if (range === undefined) {
      steps.act({ do: "open", path }, t);
      return;
    }
    const text = typeof part["text"] === "string" ? part["text"] : undefined;
    files.piece(path, range, text ?? "");
    // JetBrains sends no text, and long ones are cut.
    files.reach(path, range.end);
    const step = { do: "select", path, range, ...(text && { text }) } as const;
    // Selected before the agent connected.
    const isState = isFirst && phase === "initialized" && t - phaseMs <= FIRST_STATE_MS;
    if (isState) steps.insert(step, {});
    else this.#into.notice(step, t);
  }

  #mentioned(params: Params, t: number): void {
    const path = this.#into.fileOf(params["filePath"], "mention");
    if (path === undefined) return;
    const [start, end] = [params["lineStart"], params["lineEnd"]];
    const lines = isLine(start)
      ? { start, end: isLine(end) && end >= start ? end : start }
      : undefined;
    this.#into.files.reach(path, { line: lines?.end ?? 0, character: 0 });
    this.#into.notice({ do: "mention", path, ...(lines && { lines }) }, t);
  }
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function rangeOf(value: unknown): Range | undefined {
  return isRange(value) ? value : undefined;
}
