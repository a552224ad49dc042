import type { KnownHomes, KnownNames } from "./find-people.ts";

/** What to look for, and how to replace what is found. */
export interface Findings {
  readonly tokens: boolean;
  readonly people: boolean;
  /** Replace the texts of files. */
  readonly texts: boolean;
  readonly names: KnownNames;
  /** Unescaped secrets, each with its stand-in. */
  readonly known: ReadonlyMap<string, string>;
  readonly homes: KnownHomes;
  learn(name: string): void;
  readonly standIn: (
    what: "token" | "home" | "name" | "text",
    value: string,
    by?: string,
  ) => string;
}
