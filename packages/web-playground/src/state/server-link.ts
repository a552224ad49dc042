import type { PageClient } from "@idewire/devtools/internal";
import type { ReadonlySignal } from "@preact/signals";
import type { CommentSource } from "./comments.ts";
import type { EditorActions } from "./editor-actions.ts";

/** Why something cannot be done; without a full stop. */
export const NOT_CONNECTED = "The page is not connected to idewire";

/** The state of the connection between this page and idewire. */
export type LinkStatus = "connecting" | "connected" | "lost" | "refused";

/** The connection to idewire, as the views see it. */
export interface ServerLink {
  readonly status: ReadonlySignal<LinkStatus>;
  /** The status in words, where there is something that the person needs to know. */
  readonly words: ReadonlySignal<string>;
  /** Undefined while idewire cannot be asked. */
  readonly client: PageClient | undefined;
  /** An address for another tab; undefined when idewire cannot be asked. */
  createLink(): Promise<string | undefined>;
}

/** What is behind the page. */
export interface LinkedPage {
  readonly link: ServerLink;
  /** The time of day at which the times of the log begin, in milliseconds since 1970. */
  readonly beganMs: number | undefined;
}

/** A folder whose editor this page is. */
export interface LinkedFolder extends LinkedPage, EditorActions {
  /** What the agent of a diff calls itself, by the id of the diff; undefined when it has left. */
  agentOf(review: string): string | undefined;
  readonly comments: CommentSource;
  /** Whether idewire shows them (`--comments`). */
  readonly hasComments: ReadonlySignal<boolean>;
}

/** What agents and an editor elsewhere send each other. */
export interface LinkedInspection extends LinkedPage {
  readonly connections: { readonly size: number };
  /** Whether the page is itself the agent. */
  readonly canSend: boolean;
  /** Sends a frame to the editor. */
  send(frame: string): Promise<boolean>;
}
