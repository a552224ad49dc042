import { until } from "../reference-clients/transcript.ts";
import { json, ScriptedHttpServer, type SeenRequest } from "../scripted-http-server.ts";
import type { ModelCall, ModelMessage, ModelRequest, ModelWire } from "./model-wire.ts";

/** An agent's request with a prompt of {@link ScriptedModel.promptFor}. */
interface PromptedRequest {
  readonly prompt: string;
  /** The number of the model's calls since the prompt. */
  readonly called: number;
  /** The text that is new to the model since its last answer. */
  readonly added: string;
  readonly tools: readonly string[];
}

/**
 * A model of any provider that makes the calls planned for a prompt one by one, then ends its turn. It records
 * the requests.
 */
export class ScriptedModel {
  readonly requests: PromptedRequest[] = [];
  readonly #wires: readonly ModelWire[];
  readonly #plans: (readonly ModelCall[])[] = [];
  readonly #server = new ScriptedHttpServer((seen, response) => {
    const wire = this.#wires.find(({ read }) => read(seen) !== undefined);
    if (wire === undefined)
      return json(response, { input_tokens: 1, totalTokens: 1, data: [], models: [] });
    wire.answer(seen, this.#next(wire.read(seen)), response);
  });

  constructor(...wires: readonly ModelWire[]) {
    this.#wires = wires;
  }

  async listen(): Promise<this> {
    await this.#server.listen();
    return this;
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** All requests that it has received. */
  get seen(): readonly SeenRequest[] {
    return this.#server.seen;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  /** Returns a prompt for which the model makes these calls one by one. */
  promptFor(calls: readonly ModelCall[] = []): string {
    this.#plans.push(calls);
    return `step-${this.#plans.length}.`;
  }

  /** Whether it has received a prompt. */
  hasReceived(prompt: string): boolean {
    return this.requests.some((request) => request.prompt === prompt);
  }

  /** What the model received after call number `called` for a prompt; by default, with the prompt. */
  async received(prompt: string, called = 0): Promise<string> {
    const find = () =>
      this.requests.find((request) => request.prompt === prompt && request.called === called);
    return (await until(`the model to receive ${prompt} ${called}`, find)).added;
  }

  #next(request: ModelRequest | undefined): ModelCall | undefined {
    if (request === undefined || request.tools.length === 0) return undefined;
    const { messages, tools } = request;
    const at = messages.findLastIndex(({ by, text }) => by === "person" && promptIn(text));
    const prompt = promptIn(messages[at]?.text ?? "");
    if (prompt === undefined) return undefined;
    const called = messages.slice(at).reduce((sum, { calls }) => sum + calls, 0);
    const own = messages.findLastIndex(({ by }) => by === "model");
    this.requests.push({ prompt, called, added: join(messages.slice(own + 1)), tools });
    return this.#plans[Number(/\d+/.exec(prompt)) - 1]?.[called];
  }
}

function promptIn(text: string): string | undefined {
  return text.match(/step-\d+\./g)?.at(-1);
}

function join(messages: readonly ModelMessage[]): string {
  return messages.map(({ text }) => text).join("\n");
}
