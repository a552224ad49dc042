import type { Unsubscribe } from "../../emitter.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { Params } from "../../rpc/message.ts";
import type { Capabilities } from "../protocol.ts";

/** What to hear of: the filter of `subscriptions/listen`. */
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
  /** Called for each notification of the stream; listeners of the client hear them as well. */
  readonly onnotification?: (method: string, params: Params) => void;
  /** Called when the stream was opened again: what changed in the meantime was not told. */
  readonly onreopen?: () => void;
  readonly clock?: Clock;
}

/** A stream of notifications; its owner closes it. */
export interface Subscription {
  /** What of the topics the server tells of. */
  readonly accepted: ListenTopics;
  close(): void;
}

/** What a listener has asked for. */
export interface FollowedChange {
  /** Resolves to what the server has agreed to tell, when it has. */
  readonly agreed: Promise<ListenTopics>;
  readonly end: Unsubscribe;
}

/** What the server of one client tells of changes, as the client sees it. */
export interface Changes {
  /**
   * Called whenever the client is connected, for the first time or again.
   * @param capabilities of the server; undefined when it speaks the legacy era
   */
  serve(capabilities: Capabilities | undefined): void;
  /** Takes a notification, which may be of one of the streams. */
  hear(method: string, params: Params | undefined): void;
  /** Follows a list, by its notification, or a resource, by its URI. */
  follow(key: string): FollowedChange;
  /** Opens a stream besides the one that tells of what is followed. */
  listen(topics: ListenTopics, options: ListenOptions): Promise<Subscription>;
  /** Ends the streams. */
  close(): void;
}
