/** Simple readers of JSON from the wire, deliberately without product code. */

export type JsonObject = { readonly [key: string]: unknown };

export interface WireMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object itself, or an empty one for any other value. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The texts of a tool result's content; `undefined` where an item is not of type text. */
export function textItems(result: unknown): readonly (string | undefined)[] {
  const { content } = toObject(result);
  if (!Array.isArray(content)) return [];
  return content.map((item: unknown) => {
    const { type, text } = toObject(item);
    return type === "text" && typeof text === "string" ? text : undefined;
  });
}

/** A range of lines and characters, from 0. */
export function span(line: number, character: number, endLine: number, endCharacter: number) {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
