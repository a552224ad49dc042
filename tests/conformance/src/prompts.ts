import type { ContentBlock, McpServer, PromptMessage } from "@idewire/core/server";
import { image } from "./media.ts";
import { askFor } from "./round-trip-tools.ts";

const words = (text: string): ContentBlock => ({ type: "text", text });
const messages = (...content: readonly ContentBlock[]): readonly PromptMessage[] =>
  content.map((block) => ({ role: "user", content: block }));

export function addPrompts(server: McpServer): void {
  server.prompt(
    "test_simple_prompt",
    { description: "Has no arguments" },
    () => "This is a simple prompt for testing.",
  );
  const places = ["paris", "park", "party"];
  server.prompt(
    "test_prompt_with_arguments",
    {
      description: "Repeats its arguments",
      arguments: {
        arg1: {
          description: "First test argument",
          required: true,
          complete: (value) => places.filter((place) => place.startsWith(value)),
        },
        arg2: { description: "Second test argument", required: true },
      },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  );
  server.prompt(
    "test_prompt_with_embedded_resource",
    {
      description: "Embeds a resource",
      arguments: { resourceUri: { description: "URI of the resource", required: true } },
    },
    ({ resourceUri: uri }) => {
      const text = "Embedded resource content for testing.";
      const resource = { uri, mimeType: "text/plain", text };
      const question = words("Please process the embedded resource above.");
      return messages({ type: "resource", resource }, question);
    },
  );
  server.prompt("test_prompt_with_image", { description: "Has an image" }, () =>
    messages(image, words("Please analyze the image above.")),
  );
  server.prompt(
    "test_input_required_result_prompt",
    { description: "Asks for its context" },
    async (_, call) => {
      const message = "What context should the prompt use?";
      return `In the context: ${await askFor(call, "user_context", message, "context")}`;
    },
  );
}
