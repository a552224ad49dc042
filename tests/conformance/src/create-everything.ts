import { completion, Logging, McpServer } from "@idewire/core";
import { askingTools } from "./asking-tools.ts";
import { contentTools } from "./content-tools.ts";
import { createPrompts } from "./prompts.ts";
import { createResources } from "./resources.ts";
import { tellingTools } from "./telling-tools.ts";

/** A server with one of everything that the official suite asks for. */
export function createEverything(): McpServer {
  const logging = new Logging();
  const resources = createResources();
  const prompts = createPrompts();
  return new McpServer({
    info: { name: "everything-server", version: "1.0.0" },
    instructions: "Offers what the official conformance suite calls.",
    tools: [...contentTools, ...tellingTools(logging), ...askingTools],
    features: [logging, resources, prompts, completion(prompts, resources)],
  });
}
