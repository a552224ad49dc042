import type { Unsubscribe } from "../../emitter.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { Params } from "../../rpc/message.ts";

/** The filter of `subscriptions/listen`. */
export interface ListenTopics {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** URIs of resources. */
  readonly resourceSubscriptions?: readonly string[];
  /** Of the extension for tasks. */
  readonly taskIds?: readonly string[];
}

export interface ListenOptions {
  /** Called for each notification of the stream, besides the listeners of the client. */
  readonly onnotification?: (method: string, params: Params) => void;
  /** Called when the stream was opened again: changes in the meantime were not reported. */
  readonly onreopen?: () => void;
  readonly clock?: Clock;
}

/** A stream of notifications; its owner closes it. */
export interface Subscription {
  /** The topics that the server has agreed to. */
  readonly accepted: ListenTopics;
  close(): void;
}

/** A list or a resource that is followed. */
export interface FollowedChange {
  /** Resolves to the topics that the server has agreed to. */
  readonly agreed: Promise<ListenTopics>;
  readonly end: Unsubscribe;
}
