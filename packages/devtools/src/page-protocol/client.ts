import { isObject } from "@idewire/core/internal";
import { IdewireError, type Peer, type RequestOptions } from "@idewire/core/rpc";
import { type GenericSchema, safeParse } from "valibot";
import { commandOutcomes, pageEvents, pageResults } from "./answers.ts";
import type {
  CommandOutcome,
  PageCommand,
  PageEvent,
  PageEvents,
  PageMethod,
  PageMethods,
} from "./methods.ts";

/** The page's end of the protocol; the peer belongs to the caller, who closes it. */
export class PageClient {
  readonly peer: Peer;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  /**
   * @throws what {@link Peer.request} throws
   * @throws IdewireError `protocol` when the result has the wrong shape
   */
  request<M extends Exclude<PageMethod, "live/command">>(
    method: M,
    params: PageMethods[M]["params"],
    options?: RequestOptions,
  ): Promise<PageMethods[M]["result"]> {
    return this.#request(method, { ...params }, pageResults[method], options);
  }

  /** Runs a command; throws as {@link PageClient.request} does. */
  command<C extends PageCommand>(command: C): Promise<CommandOutcome<C["do"]>> {
    return this.#request("live/command", { ...command }, commandOutcomes[command.do as C["do"]]);
  }

  /** Calls back with each event of a name; a later listener replaces it. */
  on<E extends PageEvent>(event: E, listener: (params: PageEvents[E]) => void): void {
    const schema: GenericSchema<unknown, PageEvents[E]> = pageEvents[event];
    this.peer.handle(event, ({ params }) => {
      listener(check(event, schema, params));
      return {};
    });
  }

  async #request<T>(
    method: PageMethod,
    params: Readonly<Record<string, unknown>>,
    schema: GenericSchema<unknown, T>,
    options?: RequestOptions,
  ): Promise<T> {
    return check(method, schema, await this.peer.request(method, params, options));
  }
}

function check<T>(name: string, schema: GenericSchema<unknown, T>, value: unknown): T {
  const read = safeParse(schema, isObject(value) ? value : {});
  if (read.success) return read.output;
  throw new IdewireError("protocol", `${name}: ${read.issues[0].message}`);
}
