import { isObject, parseJson } from "@idewire/core";

/** @returns undefined for what is no JSON object, or costs too much to parse */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
