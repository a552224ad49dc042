import { answerLimits, isObject, parseJson } from "@idewire/core";

/**
 * @param parse refuses what costs too much to parse, unless another one is given
 * @returns undefined for what is no JSON object, or is refused
 */
export function parseObject(
  text: string,
  parse = (text: string): unknown => parseJson(text, answerLimits),
): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
