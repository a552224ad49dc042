import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer } from "@idewire/core/server";
import { releaseStream } from "@idewire/http";

/** The delay between two messages, so that a client receives them separately. */
const PAUSE_MS = 50;

/** Tools that send the client notifications before they answer. */
export function addNotifyingTools(server: McpServer): void {
  server.tool(
    "test_tool_with_logging",
    { description: "Logs three messages while it runs" },
    async (_, call) => {
      call.log("info", "Tool execution started");
      await sleep(PAUSE_MS);
      call.log("info", "Tool processing data");
      await sleep(PAUSE_MS);
      call.log("info", "Tool execution completed");
      return "Logged three messages";
    },
  );
  server.tool(
    "test_tool_with_progress",
    { description: "Reports its progress in three steps" },
    async (_, call) => {
      for (const progress of [0, 50, 100]) {
        call.progress({ progress, total: 100 });
        if (progress < 100) await sleep(PAUSE_MS);
      }
      return "Done in three steps";
    },
  );
  server.tool(
    "test_reconnection",
    { description: "Ends the stream that its client waits on, which comes back for the answer" },
    async (_, call) => {
      releaseStream(call, 500);
      await sleep(2 * PAUSE_MS);
      return "Reconnection test completed successfully";
    },
  );
}
