import { type ModelWire, nextId, stream, textOf } from "./model-wire.ts";

interface Block {
  readonly type: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Body {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
}

const usage = { input_tokens: 1, output_tokens: 1 };

function count(content: Message["content"], type: string): number {
  return typeof content === "string"
    ? Number(type === "text")
    : content.filter((block) => block.type === type).length;
}

/** The Messages API. */
export const anthropicWire: ModelWire = {
  read({ method, path, body }) {
    if (method !== "POST" || !path.includes("/messages") || path.includes("count"))
      return undefined;
    const { messages, tools = [] }: Body = JSON.parse(body);
    return {
      tools: tools.map(({ name }) => name),
      messages: messages.map(({ role, content }) => ({
        // After a rejection, the prompt is in the same message as the result.
        by: role === "assistant" ? "model" : count(content, "text") > 0 ? "person" : "tool",
        text: textOf(content),
        calls: count(content, "tool_use"),
      })),
    };
  },
  answer({ body }, call, to) {
    const { model }: Body = JSON.parse(body);
    const block = call
      ? { type: "tool_use", id: nextId("toolu"), name: call.name, input: {} }
      : { type: "text", text: "" };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
      : { type: "text_delta", text: "Done." };
    const about = { id: nextId("msg"), type: "message", role: "assistant", model };
    stream(to, [
      { type: "message_start", message: { ...about, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn" }, usage },
      { type: "message_stop" },
    ]);
  },
};
