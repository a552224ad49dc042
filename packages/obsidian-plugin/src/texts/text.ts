import { showHiddenInLine } from "@idewire/core/internal";

export type Value = string | number;

/** The named values of a sentence. */
export type Values<Name extends string> = Readonly<Record<Name, Value>>;

/** Tag of sentences with values from elsewhere: their hidden characters are made visible. */
export function text(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  return parts.reduce((start, part, at) => start + showHiddenInLine(String(values[at - 1])) + part);
}
