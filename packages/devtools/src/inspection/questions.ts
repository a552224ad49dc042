import { type ClientFeature, elicitation, type FormRequest, sampling } from "@idewire/core/client";
import { isObject, type SchemaValidator } from "@idewire/core/internal";
import { type Call, RpcError, ToolFailure } from "@idewire/core/rpc";
import type { ServerQuestion } from "../page-protocol/inspect-methods.ts";

/** The most questions of one server pending at once; further ones are declined. */
const MAX_QUESTIONS = 100;
/** MCP 2025-11-25, Client / Sampling: the person has refused. */
const REFUSED = -1;

type Answer = Readonly<Record<string, unknown>> | undefined;

interface Pending extends ServerQuestion {
  readonly settle: (answer: Answer) => void;
  /** Why an answer does not match the form, if it is one. */
  readonly issueOf: ((answer: Readonly<Record<string, unknown>>) => string | undefined) | undefined;
}

/** The questions of a server that wait for the person. */
export class PersonQuestions {
  /** The capabilities by which servers ask. */
  readonly features: readonly ClientFeature[];
  readonly #onchange: () => void;
  readonly #pending = new Map<number, Pending>();
  #count = 0;

  /** @param validator checks the answers to forms */
  constructor(validator: SchemaValidator, onchange: () => void) {
    this.#onchange = onchange;
    const elicit = async (call: Call, form?: FormRequest) => {
      const given = await this.#ask("elicitation/create", call, form && issueOf(form));
      return (given ?? { action: "decline" }) as { readonly action: "decline" };
    };
    this.features = [
      sampling(
        async (_, call) => {
          const given = await this.#ask("sampling/createMessage", call);
          if (given === undefined) throw new RpcError(REFUSED, "User rejected sampling request");
          return given as never;
        },
        { tools: true, context: true },
      ),
      elicitation({
        validator,
        form: (form, call) => elicit(call, form),
        url: (_, call) => elicit(call),
      }),
    ];
  }

  /** Oldest first. */
  get all(): readonly ServerQuestion[] {
    return [...this.#pending.values()].map(({ id, method, params }) => ({ id, method, params }));
  }

  /**
   * Answers a question; without a result it is declined. Without effect if it is not pending.
   * @throws ToolFailure when the result does not match the form; the question stays pending
   */
  answer(id: number, result: Answer): void {
    const question = this.#pending.get(id);
    const issue = result && question?.issueOf?.(result);
    if (issue !== undefined) throw new ToolFailure(issue);
    question?.settle(result);
  }

  #ask(
    method: ServerQuestion["method"],
    { params = {}, signal }: Call,
    issueOf?: Pending["issueOf"],
  ): Promise<Answer> {
    if (this.#pending.size >= MAX_QUESTIONS) return Promise.resolve(undefined);
    this.#count += 1;
    const id = this.#count;
    return new Promise<Answer>((resolve) => {
      const settle = (answer: Answer) => {
        signal.removeEventListener("abort", withdraw);
        this.#pending.delete(id);
        this.#onchange();
        resolve(answer);
      };
      const withdraw = () => settle(undefined);
      signal.addEventListener("abort", withdraw);
      this.#pending.set(id, { id, method, params, settle, issueOf });
      this.#onchange();
    });
  }
}

/** Judges answers to a form. */
function issueOf(form: FormRequest): NonNullable<Pending["issueOf"]> {
  return ({ action, content }) => {
    if (action !== "accept") return undefined;
    const found = form.check({ ...form.defaults, ...(isObject(content) && content) });
    return found.ok ? undefined : found.issue;
  };
}
