import { json } from "../scripted-http-server.ts";
import { type ModelMessage, type ModelWire, nextId, stream, textOf } from "./model-wire.ts";

interface Tool {
  readonly name?: string;
  readonly function?: { readonly name: string };
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly tool_calls?: readonly unknown[];
}

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages?: readonly Item[];
  readonly input?: readonly Item[] | string;
  readonly tools?: readonly Tool[];
}

const namesOf = (tools: readonly Tool[] = []) =>
  tools.map((tool) => tool.name ?? tool.function?.name ?? "");

function senderOf(role: string | undefined): ModelMessage["by"] {
  return role === "assistant" ? "model" : role === "tool" ? "tool" : "person";
}

/** The Responses API. */
export const responsesWire: ModelWire = {
  read({ method, path, body }) {
    if (method !== "POST" || !path.includes("/responses")) return undefined;
    const { input = [], tools }: Body = JSON.parse(body);
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    return {
      tools: namesOf(tools),
      messages: items.map(({ type, role, content, output }: Item) => {
        if (type === "function_call") return { by: "model", text: "", calls: 1 };
        if (type !== "function_call_output")
          return { by: senderOf(role), text: textOf(content), calls: 0 };
        return { by: "tool", text: textOf(output) || JSON.stringify(output), calls: 0 };
      }),
    };
  },
  answer(_, call, to) {
    const text = [{ type: "output_text", text: "Done." }];
    const { input, ...named } = call ?? {};
    const item = call
      ? { type: "function_call", ...named, arguments: JSON.stringify(input) }
      : { type: "message", role: "assistant", content: text };
    const [id, callId] = [nextId("resp"), nextId("call")];
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    stream(to, [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", item: { id: callId, call_id: callId, ...item } },
      { type: "response.completed", response: { id, usage } },
    ]);
  },
};

/** The Chat Completions API. */
export const chatWire: ModelWire = {
  read({ method, path, body }) {
    if (method !== "POST" || !path.includes("/chat/completions")) return undefined;
    const { messages = [], tools }: Body = JSON.parse(body);
    return {
      tools: namesOf(tools),
      messages: messages
        .filter(({ role }) => role !== "system")
        .map(({ role, content, tool_calls = [] }) => ({
          by: senderOf(role),
          text: textOf(content),
          calls: tool_calls.length,
        })),
    };
  },
  answer({ body }, call, to) {
    const { model, stream: isStream = false }: Body = JSON.parse(body);
    const toolCall = call && {
      ...{ index: 0, id: nextId("call"), type: "function" },
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    };
    const message = {
      role: "assistant",
      content: toolCall ? null : "Done.",
      ...(toolCall && { tool_calls: [toolCall] }),
    };
    const about = { id: nextId("chat"), created: 1_790_000_000, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const finish_reason = toolCall ? "tool_calls" : "stop";
    if (!isStream) {
      const choices = [{ index: 0, message, finish_reason }];
      return json(to, { ...about, object: "chat.completion", choices, usage });
    }
    const chunk = (more: object) => ({ ...about, object: "chat.completion.chunk", ...more });
    const chunks = [
      chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
      chunk({ choices: [], usage }),
    ];
    stream(to, chunks, "data: [DONE]\n\n");
  },
};
