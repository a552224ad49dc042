import {
  type ContentBlock,
  type GetPromptResult,
  type Prompt,
  Prompts,
} from "@idewire/core/server";
import { image } from "./media.ts";
import { askFor } from "./round-trip-tools.ts";

const words = (text: string): ContentBlock => ({ type: "text", text });

function messages(...content: readonly ContentBlock[]): GetPromptResult {
  return { messages: content.map((block) => ({ role: "user", content: block })) };
}

const plainPrompts: readonly Prompt[] = [
  {
    name: "test_simple_prompt",
    description: "Has no arguments",
    get: () => messages(words("This is a simple prompt for testing.")),
  },
  {
    name: "test_prompt_with_arguments",
    description: "Says its arguments",
    arguments: [
      {
        name: "arg1",
        description: "First test argument",
        required: true,
        complete: (value) => ["paris", "park", "party"].filter((place) => place.startsWith(value)),
      },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: (args) => {
      const { arg1, arg2 } = args as { readonly arg1: string; readonly arg2: string };
      return messages(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`));
    },
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "Embeds a resource",
    arguments: [{ name: "resourceUri", description: "URI of the resource", required: true }],
    get: (args) => {
      const { resourceUri: uri } = args as { readonly resourceUri: string };
      const text = "Embedded resource content for testing.";
      const resource = { uri, mimeType: "text/plain", text };
      const question = words("Please process the embedded resource above.");
      return messages({ type: "resource", resource }, question);
    },
  },
  {
    name: "test_prompt_with_image",
    description: "Has an image",
    get: () => messages(image, words("Please analyze the image above.")),
  },
];

const askingPrompt: Prompt = {
  name: "test_input_required_result_prompt",
  description: "Asks for its context",
  get: async (_, __, call) => {
    const message = "What context should the prompt use?";
    return messages(
      words(`In the context: ${await askFor(call, "user_context", message, "context")}`),
    );
  },
};

export function createPrompts(): Prompts {
  return new Prompts({ prompts: [...plainPrompts, askingPrompt] });
}
