import { json } from "../scripted-http-server.ts";
import { type ModelWire, stream } from "./model-wire.ts";

interface Part {
  readonly text?: string;
  readonly functionCall?: unknown;
  readonly functionResponse?: unknown;
}

interface Body {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly Part[] }[];
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly { readonly name: string }[];
  }[];
}

/** An answer that satisfies its requests for JSON. */
const VERDICT = JSON.stringify({ reasoning: "Done.", next_speaker: "user", model_choice: "flash" });

/** The Gemini API. */
export const geminiWire: ModelWire = {
  read({ method, path, body }) {
    if (method !== "POST" || !/:(stream)?generateContent/i.test(path)) return undefined;
    const { contents, tools = [] }: Body = JSON.parse(body);
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      messages: contents.map(({ role, parts }) => {
        const results = parts.filter(({ functionResponse }) => functionResponse !== undefined);
        return {
          by: role === "model" ? "model" : results.length > 0 ? "tool" : "person",
          text: parts
            .map(({ text, functionResponse }) => text ?? JSON.stringify(functionResponse))
            .join("\n"),
          calls: parts.filter(({ functionCall }) => functionCall !== undefined).length,
        };
      }),
    };
  },
  answer({ path }, call, to) {
    const isStream = path.includes("stream");
    const part = call
      ? { functionCall: { name: call.name, args: call.input } }
      : { text: isStream ? "Done." : VERDICT };
    const value = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    if (isStream) stream(to, [value]);
    else json(to, value);
  },
};
