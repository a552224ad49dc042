import { fileURLToPath } from "node:url";
import { createSkills, McpServer, type McpStore, tasks } from "@idewire/core/server";
import { readSkills } from "@idewire/node-server/skills";
import { addAskingTools } from "./asking-tools.ts";
import { addContentTools } from "./content-tools.ts";
import { addModernTools } from "./modern-tools.ts";
import { addNotifyingTools } from "./notifying-tools.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import { addRoundTripTools } from "./round-trip-tools.ts";
import { addTaskTools } from "./task-tools.ts";

/** The state shared by several instances. */
export interface Shared {
  readonly store: McpStore;
  /** The key that seals request state. */
  readonly key: Uint8Array;
}

/** A server with one of each feature that the official suite tests. */
export async function createEverything({ store, key }: Partial<Shared> = {}): Promise<McpServer> {
  const folder = fileURLToPath(new URL("../skills", import.meta.url));
  const server = new McpServer({
    ...{ name: "everything-server", version: "1.0.0" },
    instructions: "Offers what the official conformance suite calls.",
    ...(key !== undefined && { stateKeys: [key] }),
    ...(store !== undefined && { store }),
    features: [await createSkills(await readSkills(folder)), tasks()],
  });
  addContentTools(server);
  addNotifyingTools(server);
  addAskingTools(server);
  addRoundTripTools(server);
  addModernTools(server);
  addTaskTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}
