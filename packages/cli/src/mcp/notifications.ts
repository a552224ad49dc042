import type { Params } from "@idewire/core/rpc";
import { exactJson } from "../output/exact-json.ts";
import type { Printer } from "../output/print.ts";
import { line, shorten } from "../output/printable.ts";
import type { McpRun } from "./run-mcp-call.ts";

interface Notification {
  readonly method: string;
  readonly params: Params | undefined;
}

/** How much is queued, as JSON. */
const MAX_HELD_LENGTH = 1_000_000;

/**
 * Shows the notifications of a server, except log messages. They are queued until the command has printed that
 * it listens, for which scripts wait.
 */
export class Notifications {
  readonly #isJson: boolean;
  readonly #printer: Printer;
  #held: Notification[] | undefined = [];
  #heldLength = 0;
  #dropped = 0;

  constructor({
    run,
    printer,
  }: { readonly run: Pick<McpRun, "isJson">; readonly printer: Printer }) {
    this.#isJson = run.isJson;
    this.#printer = printer;
  }

  receive(method: string, params: Params | undefined): void {
    // They go to stderr.
    if (method === "notifications/message") return;
    if (this.#held === undefined) this.#show({ method, params });
    else this.#hold({ method, params }, this.#held);
  }

  /** Shows the queued notifications, and from now on each immediately. */
  release(): void {
    for (const each of this.#held ?? []) this.#show(each);
    this.#held = undefined;
    if (this.#dropped === 0) return;
    const words = "earlier notifications are not shown: there were too many.";
    this.#printer.fail(line`${this.#dropped} ${words}`);
  }

  #hold(notification: Notification, held: Notification[]): void {
    const length = exactJson.stringify(notification).length;
    if (this.#heldLength + length > MAX_HELD_LENGTH) {
      this.#dropped++;
      return;
    }
    this.#heldLength += length;
    held.push(notification);
  }

  #show({ method, params }: Notification): void {
    const { json, print } = this.#printer;
    if (this.#isJson) json({ event: "notification", method, params });
    else print(line`${method} ${shorten(exactJson.stringify(params ?? {}), 200)}`);
  }
}
