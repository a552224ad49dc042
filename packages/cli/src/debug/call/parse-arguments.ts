import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { findInexact, parseExact } from "../../output/exact-json.ts";

/**
 * Reads the arguments of a tool from a command line: the arguments, or what is wrong with them. Integers that
 * JavaScript would round keep their spelling.
 */
export function parseArguments(json: string): Params | string {
  let value: unknown;
  try {
    value = parseExact(json);
  } catch (error) {
    return `the arguments are not JSON: ${(error as Error).message}`;
  }
  return isObject(value) ? value : "the arguments have to be a JSON object";
}

/** The same for a tool that computes with its numbers: those that would be rounded are refused. */
export function parseComputedArguments(json: string): Params | string {
  const args = parseArguments(json);
  const inexact = findInexact(args);
  if (inexact === undefined) return args;
  const largest = Number.MAX_SAFE_INTEGER;
  return `the arguments have ${inexact}; integers from ${-largest} to ${largest} are exact`;
}
