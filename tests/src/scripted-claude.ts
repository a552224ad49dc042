import { json, ScriptedHttpServer } from "./scripted-http-server.ts";

/** A tool that the model asks Claude Code for. */
export interface ClaudeToolCall {
  readonly name: string;
  readonly input: object;
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** What a person types so that the model asks for these calls, one after the other. */
export function promptFor(calls: readonly ClaudeToolCall[]): string {
  return `DO ${JSON.stringify(calls)}`;
}

/** A model behind the Messages API that does what {@link promptFor} says, and then ends its turn. */
export function listenAsClaudeModel(): Promise<ScriptedHttpServer> {
  let turn = 0;
  return new ScriptedHttpServer(({ method, path, body }, response) => {
    const isMessage =
      method === "POST" && path.startsWith("/v1/messages") && !path.includes("count");
    if (!isMessage) return json(response, { input_tokens: 1, data: [] });
    const request: { model: string; messages: readonly Message[]; tools?: readonly unknown[] } =
      JSON.parse(body);
    turn += 1;
    const call = request.tools?.length ? nextCall(request.messages) : undefined;
    const id = `toolu_${turn}`;
    const block = call
      ? { type: "tool_use", id, name: call.name, input: {} }
      : { type: "text", text: "" };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
      : { type: "text_delta", text: "Done." };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const about = { id: `msg_${turn}`, type: "message", role: "assistant", model: request.model };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [
      { type: "message_start", message: { ...about, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn" }, usage },
      { type: "message_stop" },
    ]) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }).listen();
}

function nextCall(messages: readonly Message[]): ClaudeToolCall | undefined {
  const calls = messages.map(({ role, content }) => {
    const texts = typeof content === "string" ? [content] : content.map(({ text = "" }) => text);
    const found = texts.flatMap((text) => /^DO (\[.*\])\s*$/m.exec(text)?.[1] ?? []).at(-1);
    return role === "user" && found !== undefined ? (JSON.parse(found) as ClaudeToolCall[]) : [];
  });
  const from = calls.findLastIndex(({ length }) => length > 0);
  const done = messages
    .slice(from + 1)
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_use").length;
  return calls[from]?.[done];
}
