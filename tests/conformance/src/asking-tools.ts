import { createMessage, defineTool, elicit, type Tool, textResult } from "@idewire/core/server";
import { nothing, objectOf } from "./schemas.ts";

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

/** Tools that ask the client's model, or the person, something. */
export const askingTools: readonly Tool<unknown>[] = [
  defineTool({
    name: "test_sampling",
    description: "Asks the client's model",
    input: objectOf<{ readonly prompt: string }>({ prompt: { type: "string" } }),
    async run({ prompt }, _, call) {
      const { content } = await createMessage(call, {
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      const [first] = [content].flat();
      return textResult(`LLM response: ${first?.type === "text" ? first.text : "no text"}`);
    },
  }),
  defineTool({
    name: "test_elicitation",
    description: "Asks the person for a name and an address",
    input: objectOf<{ readonly message: string }>({ message: { type: "string" } }),
    async run({ message }, _, call) {
      const form = objectOf({
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      });
      return textResult(`User response: ${JSON.stringify(await elicit(call, { message, form }))}`);
    },
  }),
  defineTool({
    name: "test_elicitation_sep1034_defaults",
    description: "Asks by a form whose fields have defaults",
    input: nothing,
    async run(_, __, call) {
      const form = objectOf({
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      });
      return completed(await elicit(call, { message: "Check your entry", form }));
    },
  }),
  defineTool({
    name: "test_elicitation_sep1330_enums",
    description: "Asks by a form with every kind of enumeration",
    input: nothing,
    async run(_, __, call) {
      const form = objectOf({
        untitledSingle: { type: "string", enum: choices },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: { type: "string", ...legacyTitles },
        untitledMulti: { type: "array", items: { type: "string", enum: choices } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      });
      return completed(await elicit(call, { message: "Choose", form }));
    },
  }),
];

function completed(outcome: { readonly action: string; readonly content?: unknown }) {
  const content = JSON.stringify(outcome.content ?? {});
  return textResult(`Elicitation completed: action=${outcome.action}, content=${content}`);
}
