import type { PageClient } from "@idewire/devtools/internal";
import type { ReadonlySignal } from "@preact/signals";
import type { SearchSource } from "../search/search-model.ts";
import type { ChangeSource } from "./changes.ts";
import type { CommentSource } from "./comments.ts";
import type { EditorActions } from "./editor-actions.ts";

/** The reason why something cannot be done, without a full stop. */
export const NOT_CONNECTED = "The page is not connected to idewire";

/** The state of the connection between this page and idewire. */
export type LinkStatus = "connecting" | "connected" | "lost" | "refused";

/** The connection to idewire, as the views see it. */
export interface ServerLink {
  readonly status: ReadonlySignal<LinkStatus>;
  /** A message about the status, if the person needs to know it. */
  readonly words: ReadonlySignal<string>;
  /** Undefined while idewire is unreachable. */
  readonly client: PageClient | undefined;
  /** Creates an address for another tab, undefined while idewire is unreachable; absent where there can be none. */
  createLink?(): Promise<string | undefined>;
  /** Sends a request to idewire. @returns undefined on failure, which is reported to the person */
  ask<T>(act: (client: PageClient) => Promise<T>): Promise<T | undefined>;
}

/** The live backend of the page. */
export interface LinkedPage {
  readonly link: ServerLink;
  /** The time of day at time 0 of the log, in milliseconds since 1970. */
  readonly startedMs: number | undefined;
}

/** A folder whose editor this page is. */
export interface LinkedFolder extends LinkedPage, EditorActions {
  /** The name of the agent of a diff; undefined after it has disconnected. */
  agentOf(review: string): string | undefined;
  /** The proposals and edits of agents. */
  readonly changes: ChangeSource;
  readonly comments: CommentSource;
  /** The contents of its files. */
  readonly search: SearchSource;
  /** Whether idewire shows them (`--comments`). */
  readonly hasComments: ReadonlySignal<boolean>;
}

/** The frames between agents and an editor elsewhere, or between idewire and MCP servers. */
export interface LinkedInspection extends LinkedPage {
  readonly connections: { readonly size: number };
  /** Whether idewire is the client of MCP servers, instead of an agent or a proxy of an editor. */
  readonly isClient: boolean;
  /** Those of which it is the client. */
  readonly servers: readonly { readonly name: string }[];
  /** Whether the page is itself the agent, or the client. */
  readonly canSend: boolean;
  /** Sends a frame to the editor, or to the MCP server of a connection. */
  send(frame: string, ch?: string): Promise<boolean>;
}
