import { callerOf } from "@idewire/core/internal";
import type { Call } from "@idewire/core/rpc";
import {
  createMessage,
  defineTool,
  elicit,
  listRoots,
  type Tool,
  textResult,
} from "@idewire/core/server";
import { nothing, objectOf } from "./schemas.ts";

/** Tools that ask under keys that the caller knows: in the modern era they run again with the answers. */
export const roundTripTools: readonly Tool<unknown>[] = [
  asking("elicitation", async (call) => `Hello, ${await askName(call)}!`),
  asking("sampling", (call) => sample(call, "capital_question", "What is the capital of France?")),
  asking("list_roots", (call) => roots(call)),
  asking("request_state", async (call) => {
    const form = objectOf({ ok: { type: "boolean" } });
    await elicit(call, { message: "Please confirm", form }, { key: "confirm" });
    return "state-ok";
  }),
  asking("tampered_state", async (call) => {
    const form = objectOf({ ok: { type: "boolean" } });
    await elicit(call, { message: "Please confirm", form }, { key: "confirm" });
    return "The state came back as it was";
  }),
  asking("multiple_inputs", async (call) => {
    const answers = [
      askName(call),
      sample(call, "greeting", "Generate a greeting", 50),
      roots(call),
    ];
    return (await Promise.all(answers)).join("; ");
  }),
  asking("multi_round", async (call) => {
    const first = await askFor(call, "step1", "Step 1: What is your name?", "name");
    const second = await askFor(call, "step2", "Step 2: What is your favorite color?", "color");
    return `${first} likes ${second}`;
  }),
  asking("capabilities", async (call) => {
    const { clientCapabilities } = callerOf(call);
    const answers = [
      ...("elicitation" in clientCapabilities ? [askName(call)] : []),
      ...("sampling" in clientCapabilities
        ? [sample(call, "greeting", "Generate a greeting")]
        : []),
    ];
    return (await Promise.all(answers)).join("; ") || "This client can be asked nothing";
  }),
];

function asking(name: string, ask: (call: Call) => Promise<string>): Tool<unknown> {
  return defineTool({
    name: `test_input_required_result_${name}`,
    description: "Asks before it answers",
    input: nothing,
    run: async (_, __, call) => textResult(await ask(call)),
  });
}

export function askName(call: Call): Promise<string> {
  return askFor(call, "user_name", "What is your name?", "name");
}

/** Asks for one text; what the person refuses is said in its place. */
export async function askFor(
  call: Call,
  key: string,
  message: string,
  field: string,
): Promise<string> {
  const form = objectOf<Readonly<Record<string, string>>>({ [field]: { type: "string" } });
  const outcome = await elicit(call, { message, form }, { key });
  return outcome.action === "accept" ? (outcome.content[field] ?? "") : outcome.action;
}

async function sample(call: Call, key: string, text: string, maxTokens = 100): Promise<string> {
  const messages = [{ role: "user", content: { type: "text", text } }] as const;
  const { content } = await createMessage(call, { messages, maxTokens }, { key });
  const [first] = [content].flat();
  return first?.type === "text" ? first.text : "no text";
}

async function roots(call: Call): Promise<string> {
  const found = await listRoots(call, { key: "client_roots" });
  return found.map(({ uri }) => uri).join(", ");
}
