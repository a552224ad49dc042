import { readFileSync } from "node:fs";
import type { Diagnostic, OpenDocument, Range } from "@idewire/core";
import type { JsonObject } from "../reference-clients/wire.ts";

/** A file of conversations: exchanges as data, replayed over every transport. */
export interface ConversationFile {
  /** The profile that speaks. */
  readonly dialect: string;
  readonly conversations: readonly Conversation[];
}

export interface Conversation {
  readonly name: string;
  /** Statements of the manifests that it proves. */
  readonly proves: readonly string[];
  readonly setup?: Setup;
  readonly steps: readonly Step[];
}

/** The editor as it is before anybody connects. */
export interface Setup {
  readonly name?: string;
  readonly version?: string;
  readonly folders?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly documents?: readonly ({ readonly path: string } & Partial<Omit<OpenDocument, "path">>)[];
  /** Abilities that this editor has not. */
  readonly without?: readonly string[];
  readonly diagnostics?: readonly {
    readonly path: string;
    readonly diagnostics: readonly Diagnostic[];
  }[];
}

export type Step =
  /** A frame of the agent: an object, or a text as it is. */
  | { readonly agent: JsonObject | string }
  /** A frame of the editor that has come or must come now. `matches` says what may stand in it. */
  | { readonly editor: JsonObject }
  | { readonly person: PersonAct };

/** What the person does. */
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
  /** Answers the diff that is shown. */
  | { readonly do: "accept"; readonly text?: string }
  | { readonly do: "reject" }
  | { readonly do: "close" };

/** @param name the file's name in tests/conversations, without its ending */
export function readConversations(name: string): ConversationFile {
  const file = new URL(`../../conversations/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as ConversationFile;
}
