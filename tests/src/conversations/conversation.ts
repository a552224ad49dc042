import { readFileSync } from "node:fs";
import type { Diagnostic, OpenDocument, Range } from "@idewire/core";
import type { JsonObject } from "../reference-clients/wire.ts";

/** A file of conversations: exchanges as data, replayed over every transport. */
export interface ConversationFile {
  /** The profile of the editor. */
  readonly dialect: string;
  readonly conversations: readonly Conversation[];
}

export interface Conversation {
  readonly name: string;
  /** The requirements that it verifies. */
  readonly proves: readonly string[];
  readonly setup?: Setup;
  readonly steps: readonly Step[];
}

/** The state of the editor before a connection. */
export interface Setup {
  readonly name?: string;
  readonly version?: string;
  readonly folders?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly documents?: readonly ({ readonly path: string } & Partial<Omit<OpenDocument, "path">>)[];
  /** Abilities that this editor lacks. */
  readonly without?: readonly string[];
  readonly diagnostics?: readonly {
    readonly path: string;
    readonly diagnostics: readonly Diagnostic[];
  }[];
}

export type Step =
  /** A frame of the agent: an object, or a verbatim text. */
  | { readonly agent: JsonObject | string }
  /** A frame of the editor that has arrived or must arrive now; compared by `matches`. */
  | { readonly editor: JsonObject }
  | { readonly person: PersonAct };

/** An act of the person. */
export type PersonAct =
  | { readonly do: "select"; readonly path: string; readonly range: Range; readonly text: string }
  | { readonly do: "clear" }
  | {
      readonly do: "mention";
      readonly path: string;
      readonly lines?: { readonly start: number; readonly end: number };
    }
  | {
      readonly do: "diagnostics";
      readonly path: string;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly do: "log"; readonly eventName: string; readonly eventData: JsonObject }
  /** Answers the pending diff. */
  | { readonly do: "accept"; readonly text?: string }
  | { readonly do: "reject" }
  | { readonly do: "close" };

/** @param name the file's name in tests/conversations, without its extension */
export function readConversations(name: string): ConversationFile {
  const file = new URL(`../../conversations/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as ConversationFile;
}
