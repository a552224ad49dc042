import { type BodyHolder, HttpRefusal } from "@idewire/http/internal";
import type { NodeResponder } from "../mcp/node-responder.ts";
import type { MemoryBudget, MemoryHolder } from "./memory-budget.ts";

/** The memory of an HTTP request: its body until it is answered, and the unread output. */
export class RequestMemory implements MemoryHolder {
  readonly #responder: NodeResponder;
  readonly #budget: MemoryBudget;
  #bodyBytes = 0;
  #refusal: HttpRefusal | undefined;

  /** Counts until the response has closed. */
  constructor(responder: NodeResponder, budget: MemoryBudget) {
    this.#responder = responder;
    this.#budget = budget;
    budget.add(this);
    responder.onWrite(() => budget.update(this));
    responder.onClose(() => budget.delete(this));
  }

  get heldBytes(): number {
    return this.#bodyBytes + this.#responder.bufferedAmount;
  }

  /** The holder of a body, which is counted here, too. */
  with(holder: BodyHolder): BodyHolder {
    return { hold: (bytes) => holder.hold(bytes) ?? this.#hold(bytes) };
  }

  evict(reason: string): void {
    this.#refusal = new HttpRefusal(503, reason);
    // A client that does not read would not read a refusal either.
    if (this.#responder.bufferedAmount > 0) this.#responder.destroy();
    else this.#responder.refuse(this.#refusal);
  }

  #hold(bytes: number): HttpRefusal | undefined {
    this.#bodyBytes = bytes;
    this.#budget.update(this);
    return this.#refusal;
  }
}
