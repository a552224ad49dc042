import { badResult } from "../../../rpc/bad-result.ts";
import { isObject } from "../../../rpc/message.ts";
import { LIST_ROOTS, type Root } from "../../roots.ts";
import type { AskOptions } from "../caller.ts";
import { type Asker, ask } from "./ask.ts";

/** Requests the roots of a client: `ServerCall.roots`. */
export function listRoots(asker: Asker, options?: AskOptions): Promise<readonly Root[]> {
  const toQuestion = () => ({ method: LIST_ROOTS, parse: parseRoots });
  return ask(asker, { capability: "roots", toQuestion }, options);
}

function parseRoots(answer: unknown): readonly Root[] {
  const roots = isObject(answer) ? answer["roots"] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw badResult("client", LIST_ROOTS, answer);
}

function isRoot(value: unknown): value is Root {
  const uri = isObject(value) ? value["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith("file://");
}
