import {
  describeValue,
  isLegacyRevision,
  isObject,
  isRequestId,
  type LegacyRevision,
} from "@idewire/core/internal";
import type { TracedMessage } from "../conversation/conversation.ts";
import type { Direction } from "../format/trace-event.ts";
import { checkCall, checkResult } from "./check-content.ts";
import { type Problem, problem } from "./problem.ts";

/** Where a message is. */
export interface MessagePlace {
  readonly dir: Direction;
  /** It was lost, so it will not be answered. */
  readonly lost: boolean;
  /** Its id is that of an open request. */
  readonly reusesId: boolean;
}

/** Methods that are allowed before the handshake is complete. */
const EARLY = /^(ping|initialize|notifications\/(initialized|cancelled|progress|message))$/;

/** The state of a connection that determines what may come next. */
export class ProtocolState {
  /** The negotiated revision; undefined before `initialize` is answered. */
  revision: LegacyRevision | undefined;
  #closed = false;
  #hasInitialize = false;
  #answered = false;
  #initialized = false;
  #isWhole: boolean;

  /** @param whole whether its beginning is known; otherwise the handshake is assumed to be complete */
  constructor(whole: boolean) {
    this.#isWhole = whole;
    if (!whole) this.missed();
  }

  /** Some of its events are not known. */
  missed(): void {
    this.#isWhole = false;
    this.#answered = true;
    this.#initialized = true;
  }

  close(): void {
    this.#closed = true;
  }

  /** The problems of any frame now. */
  checkFrame(): readonly Problem[] {
    if (!this.#closed) return [];
    return [problem("state.after-close", { expected: "nothing", got: "a frame" })];
  }

  /** Processes the next message. */
  take(message: TracedMessage, place: MessagePlace): readonly Problem[] {
    if (message.kind === "malformed") return [];
    const isAnswer = message.kind === "result" || message.kind === "error";
    return isAnswer ? this.#takeAnswer(message, place) : this.#takeCall(message, place);
  }

  #takeCall(message: TracedMessage, place: MessagePlace): readonly Problem[] {
    const { value, pointer } = message;
    const method = String(value.method);
    const problems = [
      ...this.#checkOrder(method, message, place),
      ...checkCall(value, { dir: place.dir, pointer, revision: this.revision }),
    ];
    if (place.lost) return problems;
    if (method === "initialize") this.#hasInitialize = true;
    if (method === "notifications/initialized") this.#initialized = true;
    if (place.reusesId) {
      const got = `${JSON.stringify(message.id)}, whose request is still open`;
      const breach = { pointer: `${pointer}/id`, expected: "an unused id", got };
      problems.push(problem("state.duplicate-id", breach));
    }
    return problems;
  }

  #checkOrder(method: string, { kind, pointer }: TracedMessage, { dir }: MessagePlace): Problem[] {
    const at = `${pointer}/method`;
    if (method === "initialize" && this.#hasInitialize && this.#isWhole) {
      const breach = { expected: "one initialize", got: "a second one" };
      return [problem("state.second-initialize", { pointer: at, ...breach })];
    }
    if (EARLY.test(method)) return [];
    if (kind === "request" && !this.#answered && dir === "agent>ide") {
      const expected = "initialize, and its answer, first";
      return [problem("state.before-initialize", { pointer: at, expected, got: method })];
    }
    if (this.#initialized) return [];
    const expected = "notifications/initialized first";
    return [problem("state.before-initialized", { pointer: at, expected, got: method })];
  }

  #takeAnswer(message: TracedMessage, { dir, lost }: MessagePlace): readonly Problem[] {
    const { id, kind, pointer, request, value } = message;
    if (!isRequestId(id)) return [];
    if (request === undefined) {
      if (this.#closed || !this.#isWhole) return [];
      const expected = "the id of an open request";
      const breach = { pointer: `${pointer}/id`, expected, got: describeValue(id) };
      return [problem("state.unknown-answer", breach)];
    }
    if (kind === "error") return [];
    const place = { dir, pointer, revision: this.revision };
    const problems = checkResult(value.result, request, place);
    if (request.method === "initialize" && !lost) this.#negotiated(value.result);
    return problems;
  }

  #negotiated(result: unknown): void {
    const version = isObject(result) ? result["protocolVersion"] : undefined;
    this.#answered = true;
    if (isLegacyRevision(version)) this.revision = version;
  }
}
