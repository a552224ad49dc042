import type { Call } from "../../rpc/call.ts";
import type { Audience, FeatureHandler, ServerFeature } from "./server-feature.ts";

/** The handlers of a server's features, by method; of two for one method, that of the later feature. */
export class FeatureHandlers<Context> {
  readonly #requests = new Map<string, FeatureHandler<Context>>();
  readonly #notifications = new Map<string, FeatureHandler<Context>>();
  readonly #audiences = new Map<string, Audience<Context>>();

  add({ requests = {}, notifications = {}, audiences = {} }: ServerFeature<Context>): void {
    for (const [method, handler] of Object.entries(requests)) this.#requests.set(method, handler);
    for (const [method, handler] of Object.entries(notifications)) {
      this.#notifications.set(method, handler);
    }
    for (const [method, isFor] of Object.entries(audiences)) this.#audiences.set(method, isFor);
  }

  /** The handler of a request or notification. */
  of({ id, method }: Call): FeatureHandler<Context> | undefined {
    return (id === undefined ? this.#notifications : this.#requests).get(method);
  }

  /** Which clients receive a notification of a change; undefined for all. */
  audienceOf(method: string): Audience<Context> | undefined {
    return this.#audiences.get(method);
  }
}
