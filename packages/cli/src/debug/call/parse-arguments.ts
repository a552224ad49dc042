import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { exactJson } from "../../output/exact-json.ts";

/**
 * Reads the arguments of a tool from a command line: the arguments, or an error message. Integers that
 * JavaScript would round are preserved as written.
 */
export function parseArguments(json: string): Params | string {
  let value: unknown;
  try {
    value = exactJson.parse(json);
  } catch (error) {
    return `the arguments are not JSON: ${(error as Error).message}`;
  }
  return isObject(value) ? value : "the arguments must be a JSON object";
}

/** The same for a tool that computes with its numbers: integers that would be rounded are rejected. */
export function parseComputedArguments(json: string): Params | string {
  const args = parseArguments(json);
  const inexact = exactJson.findInexact(args);
  if (inexact === undefined) return args;
  const largest = Number.MAX_SAFE_INTEGER;
  return `the arguments have ${inexact}; integers from ${-largest} to ${largest} are exact`;
}
