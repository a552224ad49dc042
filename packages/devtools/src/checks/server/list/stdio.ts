import type { Check } from "../../check.ts";
import { mcp } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { introduction } from "../server-session.ts";

/** Checks of a server that is a program. */
export const stdioChecks: readonly Check[] = [
  {
    id: "MCP-STDIO-001",
    level: "should",
    over: "stdio",
    rule: "The program exits by itself soon after its stdin is closed.",
    source: mcp("Lifecycle, Shutdown"),
    note: "Clients send SIGTERM, then SIGKILL, to one that does not; those that crash leave it running.",
    async run(context) {
      const { endMs = 0 } = context.port.server ?? {};
      const { connection } = await context.open();
      await connection.request("initialize", introduction());
      connection.close();
      const closed = await connection.untilClosed(endMs + 5_000);
      if (closed === undefined) throw new CheckSkipped("it could not be ended");
      demand(!/SIG(TERM|KILL)/.test(closed.reason), `${closed.reason}, after ${endMs / 1_000} s`);
      return closed.reason;
    },
  },
];
