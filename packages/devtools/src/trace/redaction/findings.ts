import type { KnownHomes, KnownNames } from "./find-people.ts";

/** What is known, and what becomes of what is found. */
export interface Findings {
  readonly tokens: boolean;
  readonly people: boolean;
  /** The texts of files go. */
  readonly texts: boolean;
  readonly names: KnownNames;
  /** Texts as they read that go wherever they are, and what stands there then. */
  readonly known: ReadonlyMap<string, string>;
  readonly homes: KnownHomes;
  learn(name: string): void;
  standIn(what: "token" | "home" | "name" | "text", value: string, by?: string): string;
}
