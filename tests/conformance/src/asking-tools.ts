import type { McpServer } from "@idewire/core/server";
import { objectOf } from "./schemas.ts";

const choices = ["option1", "option2", "option3"];
const titled = [
  { const: "value1", title: "First Choice" },
  { const: "value2", title: "Second Choice" },
  { const: "value3", title: "Third Choice" },
];
const legacyTitles = {
  enum: ["opt1", "opt2", "opt3"],
  enumNames: ["Option One", "Option Two", "Option Three"],
};

/** Tools that ask the client's model, or the person. */
export function addAskingTools(server: McpServer): void {
  server.tool(
    "test_sampling",
    { description: "Asks the client's model", input: objectOf({ prompt: { type: "string" } }) },
    async ({ prompt }, call) => {
      const { content } = await call.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      const [first] = [content].flat();
      return `LLM response: ${first?.type === "text" ? first.text : "no text"}`;
    },
  );
  server.tool(
    "test_elicitation",
    {
      description: "Asks the person for a name and an address",
      input: objectOf({ message: { type: "string" } }),
    },
    async ({ message }, call) => {
      const form = objectOf({
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      });
      return `User response: ${JSON.stringify(await call.ask(message, form))}`;
    },
  );
  server.tool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks by a form whose fields have defaults" },
    async (_, call) => {
      const form = objectOf({
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      });
      return completed(await call.ask("Check your entry", form));
    },
  );
  server.tool(
    "test_elicitation_sep1330_enums",
    { description: "Asks by a form with every kind of enumeration" },
    async (_, call) => {
      const form = objectOf({
        untitledSingle: { type: "string", enum: choices },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: { type: "string", ...legacyTitles },
        untitledMulti: { type: "array", items: { type: "string", enum: choices } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      });
      return completed(await call.ask("Choose", form));
    },
  );
}

function completed(outcome: { readonly action: string; readonly content?: unknown }): string {
  const content = JSON.stringify(outcome.content ?? {});
  return `Elicitation completed: action=${outcome.action}, content=${content}`;
}
