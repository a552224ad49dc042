import { revisions } from "../versions.ts";
import type { ClientSession } from "./feature.ts";

/** The capabilities that the methods of a server need. */
const CAPABILITY: ReadonlyMap<string, string> = new Map([
  ["tools/list", "tools"],
  ["tools/call", "tools"],
  ["prompts/list", "prompts"],
  ["prompts/get", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resources"],
  ["resources/read", "resources"],
  ["resources/subscribe", "resources"],
  ["resources/unsubscribe", "resources"],
  ["logging/setLevel", "logging"],
  ["completion/complete", "completions"],
]);

/** The capability that a server needs for a method and has not announced. */
export function missingCapability(
  method: string,
  { server, revision }: ClientSession,
): string | undefined {
  const capability = CAPABILITY.get(method);
  if (capability === undefined || Object.hasOwn(server.capabilities, capability)) return undefined;
  // In 2024-11-05 completion has no capability.
  const isUnannounced = capability === "completions" && !revisions[revision].completionCapability;
  return isUnannounced ? undefined : capability;
}
