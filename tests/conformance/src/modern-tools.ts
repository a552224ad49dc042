import {
  createMessage,
  defineTool,
  type Logging,
  type McpServer,
  type Prompts,
  type Tool,
  textResult,
} from "@idewire/core/server";
import { askName } from "./round-trip-tools.ts";
import { inputOf, nothing } from "./schemas.ts";

/** Tools for what the modern era does differently. */
export function modernTools(logging: Logging): readonly Tool<unknown>[] {
  return [
    defineTool({
      name: "test_missing_capability",
      description: "Needs a client with a model",
      input: nothing,
      async run(_, __, call) {
        const messages = [{ role: "user", content: { type: "text", text: "Hello" } }] as const;
        await createMessage(call, { messages, maxTokens: 10 });
        return textResult("The model has answered");
      },
    }),
    defineTool({
      name: "test_streaming_elicitation",
      description: "Reports progress, then asks",
      input: nothing,
      async run(_, __, call) {
        call.progress({ progress: 1 });
        return textResult(`Hello, ${await askName(call)}!`);
      },
    }),
    defineTool({
      name: "test_logging_tool",
      description: "Logs a message at each level that is in use",
      input: nothing,
      run(_, __, call) {
        for (const level of ["debug", "info", "error"] as const) {
          logging.logTo(call, { level, data: `A message of level ${level}` });
        }
        return textResult("Logged");
      },
    }),
    defineTool({
      name: "test_header_parameter",
      description: "Has an argument that proxies see in a header",
      input: inputOf({
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        required: ["region"],
      }),
      run: ({ region }) => textResult(`In ${String(region)}`),
    }),
  ];
}

/** Tools that change what the server offers while it is in use. */
export function changingTools(server: McpServer, prompts: Prompts): readonly Tool<unknown>[] {
  return [
    defineTool({
      name: "test_trigger_tool_change",
      description: "Adds a tool, and removes it",
      input: nothing,
      run() {
        const passing = { name: "test_passing_tool", description: "Is gone soon", input: nothing };
        server.addTool(defineTool({ ...passing, run: () => textResult("Still here") }))();
        return textResult("The tools have changed");
      },
    }),
    defineTool({
      name: "test_trigger_prompt_change",
      description: "Adds a prompt, and removes it",
      input: nothing,
      run() {
        prompts.add({ name: "test_passing_prompt", get: () => ({ messages: [] }) })();
        return textResult("The prompts have changed");
      },
    }),
  ];
}
