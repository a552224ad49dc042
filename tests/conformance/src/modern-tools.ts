import type { McpServer } from "@idewire/core/server";
import { askName } from "./round-trip-tools.ts";

/** Tools for what the modern era does differently, and tools that change what the server offers. */
export function addModernTools(server: McpServer): void {
  server.tool(
    "test_missing_capability",
    { description: "Needs a client with a model" },
    async (_, call) => {
      const messages = [{ role: "user", content: { type: "text", text: "Hello" } }] as const;
      await call.sample({ messages, maxTokens: 10 });
      return "The model has answered";
    },
  );
  server.tool(
    "test_streaming_elicitation",
    { description: "Reports progress, then asks" },
    async (_, call) => {
      call.progress({ progress: 1 });
      return `Hello, ${await askName(call)}!`;
    },
  );
  server.tool(
    "test_logging_tool",
    { description: "Logs a message at each level that is in use" },
    (_, call) => {
      for (const level of ["debug", "info", "error"] as const) {
        call.log(level, `A message of level ${level}`);
      }
      return "Logged";
    },
  );
  server.tool(
    "test_header_parameter",
    {
      description: "Has an argument that proxies see in a header",
      input: {
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        required: ["region"],
      },
    },
    ({ region }) => `In ${region}`,
  );
  server.tool("test_trigger_tool_change", { description: "Adds a tool, and removes it" }, () => {
    server.tool("test_passing_tool", { description: "Is gone soon" }, () => "Still here")();
    return "The tools have changed";
  });
  server.tool(
    "test_trigger_prompt_change",
    { description: "Adds a prompt, and removes it" },
    () => {
      server.prompt("test_passing_prompt", {}, () => [])();
      return "The prompts have changed";
    },
  );
}
