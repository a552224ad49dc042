import type { McpServer, ServerCall } from "@idewire/core/server";
import { objectOf } from "./schemas.ts";

type Ask = (call: ServerCall) => Promise<string>;

/** Questions under the keys that the suite expects: in the modern era the tools run again with the answers. */
const questions: Readonly<Record<string, Ask>> = {
  elicitation: async (call) => `Hello, ${await askName(call)}!`,
  sampling: (call) => sample(call, "capital_question", "What is the capital of France?"),
  list_roots: (call) => roots(call),
  request_state: async (call) => {
    await confirm(call);
    return "state-ok";
  },
  tampered_state: async (call) => {
    await confirm(call);
    return "The state came back as it was";
  },
  multiple_inputs: async (call) => {
    const greeting = sample(call, "greeting", "Generate a greeting", 50);
    return (await Promise.all([askName(call), greeting, roots(call)])).join("; ");
  },
  multi_round: async (call) => {
    const first = await askFor(call, "step1", "Step 1: What is your name?", "name");
    const second = await askFor(call, "step2", "Step 2: What is your favorite color?", "color");
    return `${first} likes ${second}`;
  },
  capabilities: async (call) => {
    const answers = [
      ...(call.can("elicitation") ? [askName(call)] : []),
      ...(call.can("sampling") ? [sample(call, "greeting", "Generate a greeting")] : []),
    ];
    return (await Promise.all(answers)).join("; ") || "This client can be asked nothing";
  },
};

export function addRoundTripTools(server: McpServer): void {
  for (const [name, ask] of Object.entries(questions)) {
    const description = "Asks before it answers";
    server.tool(`test_input_required_result_${name}`, { description }, (_, call) => ask(call));
  }
}

export function askName(call: ServerCall): Promise<string> {
  return askFor(call, "user_name", "What is your name?", "name");
}

/** Asks for one text; without it, returns a description of the answer. */
export async function askFor(
  call: ServerCall,
  key: string,
  message: string,
  field: string,
): Promise<string> {
  const form = objectOf({ [field]: { type: "string" } });
  const outcome = await call.ask(message, form, { key });
  return outcome.action === "accept" ? (outcome.content[field] ?? "") : outcome.action;
}

async function confirm(call: ServerCall): Promise<void> {
  await call.ask("Please confirm", objectOf({ ok: { type: "boolean" } }), { key: "confirm" });
}

async function sample(
  call: ServerCall,
  key: string,
  text: string,
  maxTokens = 100,
): Promise<string> {
  const messages = [{ role: "user", content: { type: "text", text } }] as const;
  const { content } = await call.sample({ messages, maxTokens }, { key });
  const [first] = [content].flat();
  return first?.type === "text" ? first.text : "no text";
}

async function roots(call: ServerCall): Promise<string> {
  const found = await call.roots({ key: "client_roots" });
  return found.map(({ uri }) => uri).join(", ");
}
