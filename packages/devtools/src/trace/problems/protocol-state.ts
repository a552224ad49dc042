import {
  describeValue,
  isLegacyRevision,
  isObject,
  isRequestId,
  type LegacyRevision,
  type RawMessage,
} from "@idewire/core";
import { type Direction, opposite } from "../format/trace-event.ts";
import { type AnsweredRequest, checkCall, checkResult } from "./check-content.ts";
import { type Problem, problem } from "./problem.ts";

/** Where a message is. */
export interface MessagePlace {
  readonly dir: Direction;
  readonly pointer: string;
  /** It never arrives, so it is not answered. */
  readonly lost: boolean;
}

/** Methods that are allowed before the handshake is complete. */
const EARLY = /^(ping|initialize|notifications\/(initialized|cancelled|progress|message))$/;

/** The state of a connection that determines what may come next. */
export class ProtocolState {
  /** The negotiated revision; undefined before `initialize` is answered. */
  revision: LegacyRevision | undefined;
  #closed = false;
  #asked = false;
  #answered = false;
  #initialized = false;
  readonly #waiting: Readonly<Record<Direction, Map<string, AnsweredRequest>>> = {
    "agent>ide": new Map(),
    "ide>agent": new Map(),
  };

  /** @param whole whether its beginning is known; otherwise the handshake is assumed to be complete */
  constructor(whole: boolean) {
    this.#asked = !whole;
    this.#answered = !whole;
    this.#initialized = !whole;
  }

  close(): void {
    this.#closed = true;
  }

  /** The problems of any frame now. */
  checkFrame(): readonly Problem[] {
    if (!this.#closed) return [];
    return [problem("state.after-close", { expected: "nothing", got: "a frame" })];
  }

  /** Takes a message whose kind its envelope shows. */
  take(message: RawMessage, place: MessagePlace): readonly Problem[] {
    if (typeof message.method === "string") return this.#takeCall(message, place);
    const isAnswer = message.result !== undefined || message.error !== undefined;
    return isAnswer ? this.#takeAnswer(message, place) : [];
  }

  #takeCall(message: RawMessage, place: MessagePlace): readonly Problem[] {
    const method = String(message.method);
    const problems = [
      ...this.#checkOrder(method, message, place),
      ...checkCall(message, { ...place, revision: this.revision }),
    ];
    if (place.lost) return problems;
    if (method === "initialize") this.#asked = true;
    if (method === "notifications/initialized") this.#initialized = true;
    if (!isRequestId(message.id)) return problems;
    const waiting = this.#waiting[place.dir];
    const key = JSON.stringify(message.id);
    if (waiting.has(key)) {
      const breach = { expected: "an unused id", got: `${key}, whose request is still open` };
      problems.push(problem("state.duplicate-id", { pointer: `${place.pointer}/id`, ...breach }));
    }
    const name = isObject(message.params) ? message.params["name"] : undefined;
    const tool = method === "tools/call" && typeof name === "string" ? name : undefined;
    waiting.set(key, { method, tool });
    return problems;
  }

  #checkOrder(method: string, { id }: RawMessage, { dir, pointer }: MessagePlace): Problem[] {
    const at = `${pointer}/method`;
    if (method === "initialize" && this.#asked) {
      const breach = { expected: "one initialize", got: "a second one" };
      return [problem("state.second-initialize", { pointer: at, ...breach })];
    }
    if (EARLY.test(method)) return [];
    if (id !== undefined && !this.#answered && dir === "agent>ide") {
      const expected = "initialize, and its answer, first";
      return [problem("state.before-initialize", { pointer: at, expected, got: method })];
    }
    if (this.#initialized) return [];
    const expected = "notifications/initialized first";
    return [problem("state.before-initialized", { pointer: at, expected, got: method })];
  }

  #takeAnswer(message: RawMessage, place: MessagePlace): readonly Problem[] {
    const { id, result, error } = message;
    const { dir, pointer, lost } = place;
    if (!isRequestId(id)) return [];
    const waiting = this.#waiting[opposite(dir)];
    const key = JSON.stringify(id);
    const question = waiting.get(key);
    if (question === undefined) {
      const expected = "the id of an open request";
      const breach = { pointer: `${pointer}/id`, expected, got: describeValue(id) };
      return [problem("state.unknown-answer", breach)];
    }
    if (!lost) waiting.delete(key);
    if (error !== undefined) return [];
    const problems = checkResult(result, question, { dir, pointer, revision: this.revision });
    if (question.method === "initialize" && !lost) this.#agree(result);
    return problems;
  }

  #agree(result: unknown): void {
    const version = isObject(result) ? result["protocolVersion"] : undefined;
    this.#answered = true;
    if (isLegacyRevision(version)) this.revision = version;
  }
}
