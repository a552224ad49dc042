import { setTimeout as sleep } from "node:timers/promises";
import { RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import { becomeTask, type McpServer, type ServerCall } from "@idewire/core/server";
import { askFor, askName } from "./round-trip-tools.ts";
import { objectOf } from "./schemas.ts";

const brief = { ttlMs: 60_000, pollIntervalMs: 100 };

/** Tools that become tasks if the client supports them. */
export function addTaskTools(server: McpServer): void {
  server.tool(
    "greet",
    { description: "Answers at once", input: objectOf({ name: { type: "string" } }) },
    ({ name }) => `Hello, ${name}!`,
  );
  server.tool(
    "slow_compute",
    {
      description: "Takes some seconds",
      input: {
        type: "object",
        properties: { seconds: { type: "number", minimum: 0 }, label: { type: "string" } },
      },
    },
    async ({ seconds = 1 }, call) => {
      if (seconds > 0) await becomeTask(call, brief);
      await sleep(seconds * 1000, undefined, { signal: call.signal });
      return `Computed for ${seconds} seconds`;
    },
  );
  server.tool(
    "failing_job",
    { description: "Fails after a second, with a text for the model" },
    async (_, call) => {
      await becomeTask(call, { ...brief, required: true });
      await sleep(1000, undefined, { signal: call.signal });
      throw new ToolFailure("This job always fails");
    },
  );
  server.tool(
    "protocol_error_job",
    { description: "Fails by an error of the protocol" },
    async (_, call) => {
      await becomeTask(call, brief);
      throw new RpcError(RpcErrorCode.InternalError, "This job is broken");
    },
  );
  server.tool(
    "confirm_delete",
    { description: "Asks once while it is a task" },
    async (_, call) => {
      await becomeTask(call, brief);
      return (await confirm(call)) ? "Deleted" : "Left alone";
    },
  );
  server.tool(
    "multi_input",
    { description: "Asks twice at once while it is a task" },
    async (_, call) => {
      await becomeTask(call, brief);
      const answers = await Promise.all([
        askFor(call, "first", "What is your first name?", "name"),
        askFor(call, "second", "What is your second name?", "name"),
      ]);
      return answers.join(" ");
    },
  );
  server.tool(
    "test_tool_with_task",
    { description: "Asks, and is a task from then on" },
    async (_, call) => {
      const name = await askName(call);
      await becomeTask(call, { ...brief, required: true });
      return `Hello, ${name}!`;
    },
  );
}

async function confirm(call: ServerCall): Promise<boolean> {
  const form = objectOf({ confirm: { type: "boolean" } });
  const outcome = await call.ask("Delete it?", form, { key: "confirm" });
  return outcome.action === "accept" && outcome.content.confirm;
}
