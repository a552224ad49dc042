import { answerLimits, isObject, parseJson, type RawMessage } from "@idewire/core";

/** The JSON objects of a frame: several in a batch, none in what is not JSON or exceeds core's limits. */
export function frameMessages(raw: string): readonly RawMessage[] {
  try {
    const value: unknown = parseJson(raw, answerLimits);
    return (Array.isArray(value) ? value : [value]).filter(isObject);
  } catch {
    return [];
  }
}
