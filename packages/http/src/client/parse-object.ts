import { answerLimits, isObject, parseJson } from "@idewire/core/internal";

/**
 * @param parse refuses what costs too much to parse, unless another one is given
 * @returns undefined for what is no JSON, or is refused
 */
export function parseValue(
  text: string,
  parse = (text: string): unknown => parseJson(text, answerLimits),
): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @returns undefined for what is no JSON object, or costs too much to parse */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseValue(text);
  return isObject(value) ? value : undefined;
}
