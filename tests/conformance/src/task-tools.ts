import { setTimeout as sleep } from "node:timers/promises";
import { type Call, RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import { becomeTask, defineTool, elicit, type Tool, textResult } from "@idewire/core/server";
import { askFor, askName } from "./round-trip-tools.ts";
import { inputOf, nothing, objectOf } from "./schemas.ts";

const brief = { ttlMs: 60_000, pollIntervalMs: 100 };

/** Tools that become tasks, where the client takes them. */
export const taskTools: readonly Tool<unknown>[] = [
  defineTool({
    name: "greet",
    description: "Answers at once",
    input: objectOf<{ readonly name: string }>({ name: { type: "string" } }),
    run: ({ name }) => textResult(`Hello, ${name}!`),
  }),
  defineTool({
    name: "slow_compute",
    description: "Takes some seconds",
    input: inputOf<{ readonly seconds?: number }>({
      type: "object",
      properties: { seconds: { type: "number", minimum: 0 }, label: { type: "string" } },
    }),
    async run({ seconds = 1 }, _, call) {
      if (seconds > 0) await becomeTask(call, brief);
      await sleep(seconds * 1000, undefined, { signal: call.signal });
      return textResult(`Computed for ${seconds} seconds`);
    },
  }),
  defineTool({
    name: "failing_job",
    description: "Fails after a second, in words that the model reads",
    input: nothing,
    async run(_, __, call) {
      await becomeTask(call, { ...brief, required: true });
      await sleep(1000, undefined, { signal: call.signal });
      throw new ToolFailure("This job always fails");
    },
  }),
  defineTool({
    name: "protocol_error_job",
    description: "Fails by an error of the protocol",
    input: nothing,
    async run(_, __, call) {
      await becomeTask(call, brief);
      throw new RpcError(RpcErrorCode.InternalError, "This job is broken");
    },
  }),
  defineTool({
    name: "confirm_delete",
    description: "Asks once while it is a task",
    input: nothing,
    async run(_, __, call) {
      await becomeTask(call, brief);
      return textResult((await confirm(call)) ? "Deleted" : "Left alone");
    },
  }),
  defineTool({
    name: "multi_input",
    description: "Asks twice at once while it is a task",
    input: nothing,
    async run(_, __, call) {
      await becomeTask(call, brief);
      const answers = await Promise.all([
        askFor(call, "first", "What is your first name?", "name"),
        askFor(call, "second", "What is your second name?", "name"),
      ]);
      return textResult(answers.join(" "));
    },
  }),
  defineTool({
    name: "test_tool_with_task",
    description: "Asks, and is a task from then on",
    input: nothing,
    async run(_, __, call) {
      const name = await askName(call);
      await becomeTask(call, { ...brief, required: true });
      return textResult(`Hello, ${name}!`);
    },
  }),
];

async function confirm(call: Call): Promise<boolean> {
  const form = objectOf<{ readonly confirm: boolean }>({ confirm: { type: "boolean" } });
  const outcome = await elicit(call, { message: "Delete it?", form }, { key: "confirm" });
  return outcome.action === "accept" && outcome.content.confirm;
}
