import { IdewireError } from "../../errors.ts";
import { describeValue } from "../../rpc/message.ts";

// Checks for authors who write JavaScript: TypeScript refuses the same.

/** All options of an interface, for `requireKnownOptions`: one that is missing does not compile. */
export function optionNames<Options>(
  names: Readonly<Record<keyof Required<Options>, true>>,
): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/** @throws IdewireError `invalid-argument` for a handler that is not a function */
export function requireFunction(owner: string, handler: unknown): void {
  if (typeof handler === "function") return;
  const text = `${owner}: expected a function as handler, got ${describeValue(handler)}`;
  throw new IdewireError("invalid-argument", text);
}

/** @throws IdewireError `invalid-argument` for a name or URI that is not a text */
export function requireText(owner: string, text: unknown): void {
  if (typeof text === "string" && text !== "") return;
  throw new IdewireError(
    "invalid-argument",
    `${owner}: expected a text, got ${describeValue(text)}`,
  );
}

/** @throws IdewireError `invalid-argument` for what is not a list of texts */
export function requireTexts(owner: string, texts: unknown): void {
  if (Array.isArray(texts) && texts.every((text) => typeof text === "string")) return;
  const seen = describeValue(texts);
  throw new IdewireError("invalid-argument", `${owner}: expected a list of texts, got ${seen}`);
}
