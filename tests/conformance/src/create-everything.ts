import { fileURLToPath } from "node:url";
import {
  completion,
  createSkills,
  Logging,
  McpServer,
  type McpStore,
  modernEra,
  sealedRequestState,
  Tasks,
} from "@idewire/core/server";
import { readSkills } from "@idewire/node-server/skills";
import { askingTools } from "./asking-tools.ts";
import { contentTools } from "./content-tools.ts";
import { changingTools, modernTools } from "./modern-tools.ts";
import { createPrompts } from "./prompts.ts";
import { createResources } from "./resources.ts";
import { roundTripTools } from "./round-trip-tools.ts";
import { taskTools } from "./task-tools.ts";
import { tellingTools } from "./telling-tools.ts";

/** What several instances have in common. */
export interface Shared {
  readonly store: McpStore;
  /** The key that seals `requestState`. */
  readonly key: Uint8Array;
}

/** A server with one of everything that the official suite asks for. */
export async function createEverything({ store, key }: Partial<Shared> = {}): Promise<McpServer> {
  const logging = new Logging();
  const folder = fileURLToPath(new URL("../skills", import.meta.url));
  const skills = await createSkills(await readSkills(folder));
  const resources = createResources(skills.resources);
  const prompts = createPrompts();
  const server = new McpServer({
    info: { name: "everything-server", version: "1.0.0" },
    instructions: "Offers what the official conformance suite calls.",
    eras: { modern: modernEra({ requestState: sealedRequestState(key && { keys: [key] }) }) },
    ...(store !== undefined && { store }),
    tools: [
      ...contentTools,
      ...tellingTools(logging),
      ...askingTools,
      ...roundTripTools,
      ...modernTools(logging),
      ...taskTools,
    ],
    features: [
      ...[logging, resources, skills, prompts, completion(prompts, resources)],
      new Tasks(store && { store }),
    ],
  });
  for (const tool of changingTools(server, prompts)) server.addTool(tool);
  return server;
}
