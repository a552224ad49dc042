import { answerLimits, isObject, parseJson } from "@idewire/core/internal";

/**
 * @param parse refuses texts that cost too much to parse, unless another function is passed
 * @returns undefined for invalid JSON, or a refused text
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

/** @returns undefined for anything but a JSON object, or if it costs too much to parse */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseValue(text);
  return isObject(value) ? value : undefined;
}
