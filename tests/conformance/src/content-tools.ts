import { ToolFailure } from "@idewire/core/rpc";
import { defineTool, type Tool, textResult } from "@idewire/core/server";
import { image, wav } from "./media.ts";
import { inputOf, nothing } from "./schemas.ts";

const everyKeyword = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

/** Tools that answer at once, with every kind of content. */
export const contentTools: readonly Tool<unknown>[] = [
  defineTool({
    name: "test_simple_text",
    description: "Answers with text",
    input: nothing,
    run: () => textResult("This is a simple text response for testing."),
  }),
  defineTool({
    name: "test_image_content",
    description: "Answers with an image",
    input: nothing,
    run: () => ({ content: [image] }),
  }),
  defineTool({
    name: "test_audio_content",
    description: "Answers with a sound",
    input: nothing,
    run: () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }),
  }),
  defineTool({
    name: "test_embedded_resource",
    description: "Answers with a resource and its contents",
    input: nothing,
    run: () => {
      const text = "This is an embedded resource content.";
      const uri = "test://embedded-resource";
      return { content: [{ type: "resource", resource: { uri, mimeType: "text/plain", text } }] };
    },
  }),
  defineTool({
    name: "test_multiple_content_types",
    description: "Answers with text, an image and a resource",
    input: nothing,
    run: () => {
      const uri = "test://mixed-content-resource";
      const text = JSON.stringify({ test: "data", value: 123 });
      const resource = { uri, mimeType: "application/json", text };
      const [first] = textResult("Multiple content types test:").content;
      return { content: [...(first ? [first] : []), image, { type: "resource", resource }] };
    },
  }),
  defineTool({
    name: "test_error_handling",
    description: "Fails in words that the model reads",
    input: nothing,
    run: () => {
      throw new ToolFailure("This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Has a schema with keywords of JSON Schema 2020-12",
    input: inputOf(everyKeyword),
    run: (args) => textResult(JSON.stringify(args)),
  }),
];
