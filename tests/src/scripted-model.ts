import { json, ScriptedHttpServer } from "./scripted-http-server.ts";

/** A tool call by the model. */
export interface ModelCall {
  /** Its group of tools, as named by the agent. */
  readonly namespace?: string;
  readonly name: string;
  readonly arguments: object;
}

/**
 * A model behind OpenAI's Responses API that makes one call after another, then ends its turn.
 * @param onoutput called with the agent's answer to each call, as text
 */
export async function listenAsModel(
  calls: readonly ModelCall[],
  onoutput: (text: string) => void,
): Promise<ScriptedHttpServer> {
  let turn = 0;
  return new ScriptedHttpServer(({ method, body }, response) => {
    if (method !== "POST") return json(response, { data: [], models: [] });
    const { input = [] }: { input?: readonly Readonly<Record<string, unknown>>[] } =
      JSON.parse(body);
    const outputs = input.filter(({ type }) => type === "function_call_output");
    if (outputs.length > 0) onoutput(JSON.stringify(outputs.at(-1)?.["output"]));
    const call = calls[outputs.length];
    turn += 1;
    const item =
      call === undefined
        ? { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }
        : { type: "function_call", ...call, arguments: JSON.stringify(call.arguments) };
    const id = `turn-${turn}`;
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", item: { id, call_id: id, ...item } },
      { type: "response.completed", response: { id, usage } },
    ]) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }).listen();
}
