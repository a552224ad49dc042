import { isObject } from "@idewire/core/internal";

/**
 * The texts of a tool's result by index, as agents read them; undefined for items without text.
 * @param content unchecked
 */
export function textsOf(content: unknown): readonly (string | undefined)[] {
  if (!Array.isArray(content)) return [];
  return content.map((item: unknown) => {
    const text = isObject(item) ? item["text"] : undefined;
    return typeof text === "string" ? text : undefined;
  });
}
