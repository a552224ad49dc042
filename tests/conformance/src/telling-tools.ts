import { setTimeout as sleep } from "node:timers/promises";
import { defineTool, type Logging, type Tool, textResult } from "@idewire/core/server";
import { releaseStream } from "@idewire/http";
import { nothing } from "./schemas.ts";

/** Between two messages, so that a client sees them arrive one by one. */
const PAUSE_MS = 50;

/** Tools that tell the client something before they answer. */
export function tellingTools(logging: Logging): readonly Tool<unknown>[] {
  return [
    defineTool({
      name: "test_tool_with_logging",
      description: "Logs three messages while it runs",
      input: nothing,
      async run(_, __, call) {
        const log = (data: string) => logging.logTo(call, { level: "info", data });
        log("Tool execution started");
        await sleep(PAUSE_MS);
        log("Tool processing data");
        await sleep(PAUSE_MS);
        log("Tool execution completed");
        return textResult("Logged three messages");
      },
    }),
    defineTool({
      name: "test_tool_with_progress",
      description: "Reports its progress in three steps",
      input: nothing,
      async run(_, __, call) {
        for (const progress of [0, 50, 100]) {
          call.progress({ progress, total: 100 });
          if (progress < 100) await sleep(PAUSE_MS);
        }
        return textResult("Done in three steps");
      },
    }),
    defineTool({
      name: "test_reconnection",
      description: "Ends the stream that it is waited for on: the client comes back for the answer",
      input: nothing,
      async run(_, __, call) {
        releaseStream(call, 500);
        await sleep(2 * PAUSE_MS);
        return textResult("Reconnection test completed successfully");
      },
    }),
  ];
}
