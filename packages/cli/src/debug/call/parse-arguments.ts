import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";

/** Reads the arguments of a tool from a command line: the arguments, or what is wrong with them. */
export function parseArguments(json: string): Params | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return `the arguments are not JSON: ${(error as Error).message}`;
  }
  return isObject(value) ? value : "the arguments have to be a JSON object";
}
