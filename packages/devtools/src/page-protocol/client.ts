import { type CommandOutcome, isObject, requestCommand } from "@idewire/core/internal";
import { IdewireError, type Peer, type RequestOptions } from "@idewire/core/rpc";
import { type GenericSchema, safeParse } from "valibot";
import { pageEvents, pageResults } from "./answers.ts";
import type { PageCommand, PageEvent, PageEvents, PageMethod, PageMethods } from "./methods.ts";

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
  async request<M extends PageMethod>(
    method: M,
    params: PageMethods[M]["params"],
    options?: RequestOptions,
  ): Promise<PageMethods[M]["result"]> {
    const result = await this.peer.request(method, { ...params }, options);
    const schema: GenericSchema<unknown, PageMethods[M]["result"]> = pageResults[method];
    return check(method, schema, result);
  }

  /** Runs a command; throws as {@link PageClient.request} does. */
  command<C extends PageCommand>(command: C): Promise<CommandOutcome<C["do"]>> {
    return requestCommand(this.peer, command);
  }

  /** Calls back with each event of a name; a later listener replaces it. */
  on<E extends PageEvent>(event: E, listener: (params: PageEvents[E]) => void): void {
    const schema: GenericSchema<unknown, PageEvents[E]> = pageEvents[event];
    this.peer.handle(event, ({ params }) => {
      listener(check(event, schema, params));
      return {};
    });
  }
}

function check<T>(name: string, schema: GenericSchema<unknown, T>, value: unknown): T {
  const read = safeParse(schema, isObject(value) ? value : {});
  if (read.success) return read.output;
  throw new IdewireError("protocol", `${name}: ${read.issues[0].message}`);
}
