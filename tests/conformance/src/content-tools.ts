import { ToolFailure } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { image, wav } from "./media.ts";

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
export function addContentTools(server: McpServer): void {
  server.tool(
    "test_simple_text",
    { description: "Answers with text" },
    () => "This is a simple text response for testing.",
  );
  server.tool("test_image_content", { description: "Answers with an image" }, () => ({
    content: [image],
  }));
  server.tool("test_audio_content", { description: "Answers with a sound" }, () => ({
    content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  }));
  server.tool(
    "test_embedded_resource",
    { description: "Answers with a resource and its contents" },
    () => {
      const text = "This is an embedded resource content.";
      const resource = { uri: "test://embedded-resource", mimeType: "text/plain", text };
      return { content: [{ type: "resource", resource }] };
    },
  );
  server.tool(
    "test_multiple_content_types",
    { description: "Answers with text, an image and a resource" },
    () => {
      const text = JSON.stringify({ test: "data", value: 123 });
      const resource = { uri: "test://mixed-content-resource", mimeType: "application/json", text };
      return {
        content: [
          { type: "text", text: "Multiple content types test:" },
          image,
          { type: "resource", resource },
        ],
      };
    },
  );
  server.tool("test_error_handling", { description: "Fails with a text for the model" }, () => {
    throw new ToolFailure("This tool intentionally returns an error for testing");
  });
  server.tool(
    "json_schema_2020_12_tool",
    { description: "Has a schema with keywords of JSON Schema 2020-12", input: everyKeyword },
    (args) => JSON.stringify(args),
  );
}
