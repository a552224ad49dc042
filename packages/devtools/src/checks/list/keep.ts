import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import type { Check } from "../check.ts";
import { describeClose } from "../check-connection.ts";
import { mcp, measured, rfc } from "../sources.ts";
import { CheckFailed, demand } from "../verdict.ts";

/** More than the largest message that the client itself accepts. */
const OVERSIZE = MAX_FRAME_BYTES + 1_024;

/** Checks of keep-alive. */
export const keepChecks: readonly Check[] = [
  {
    id: "IDE-KEEP-001",
    level: "should",
    rule: "ping is answered with an empty result, with or without params.",
    source: mcp("Ping"),
    note: "MCP says must; no measured agent ever pings, and an error also proves that the editor is alive.",
    async run(context) {
      const { connection } = await context.ready();
      await connection.result("ping");
      await connection.result("ping", {});
    },
  },
  {
    id: "IDE-KEEP-002",
    level: "must",
    rule: "A WebSocket ping is answered with a pong.",
    source: rfc(6455, "5.5.2"),
    async run(context) {
      const { ping } = await context.open();
      const { answerMs } = context.times;
      const late = context.wait(answerMs).then(() => {
        throw new CheckFailed(`no pong arrived within ${answerMs} ms`);
      });
      await Promise.race([ping(), late]);
    },
  },
  {
    id: "IDE-KEEP-003",
    level: "must",
    rule: "An agent that is silent for a moment, but answers each ping, stays connected.",
    source: measured("Connection"),
    note: "Claude Code never pings by itself.",
    async run(context) {
      const { connection } = await context.ready();
      const closed = await connection.untilClosed(context.times.noticeMs);
      demand(closed === undefined, `the server closed ${closed && describeClose(closed)}`);
      await connection.request("ping");
    },
  },
];

/** Checks of limits against hostile agents. */
export const limitChecks: readonly Check[] = [
  {
    id: "IDE-LIMIT-001",
    level: "must",
    rule: "500 malformed frames from one agent affect no other.",
    source: rfc(6455, "10.7"),
    hostile: true,
    async run(context) {
      const secondAgent = await context.secondAgent();
      const { connection } = await context.ready();
      for (let count = 0; count < 500; count += 1)
        connection.send(RUBBISH[count % RUBBISH.length] ?? "");
      await secondAgent?.connection.request("ping");
      await (await context.ready()).connection.request("ping");
    },
  },
  {
    id: "IDE-LIMIT-002",
    level: "must",
    rule: "JSON nested 100,000 levels deep affects no agent.",
    source: `${rfc(8259, "9")}; ${rfc(6455, "10.4")}`,
    hostile: true,
    async run(context) {
      const { connection } = await context.ready();
      connection.send(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
      connection.send(
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(50_000)}1`,
      );
      await (await context.ready()).connection.request("ping");
    },
  },
  {
    id: "IDE-LIMIT-003",
    level: "should",
    rule: "A frame larger than 16 MiB is answered, or closes its own connection with 1009 and no other.",
    source: `${rfc(6455, "7.4.1")}; ${rfc(6455, "10.4")}; ${measured("Connection")}`,
    hostile: true,
    note: "Claude Code itself closes when a message from the server is larger than 16 MiB.",
    async run(context) {
      const secondAgent = await context.secondAgent();
      const { connection } = await context.ready();
      connection.send(`{"jsonrpc":"2.0","id":"big","method":"ping","params":{"a":"${filler()}"}}`);
      const isAnswered = () => connection.received.find(({ message }) => message.id === "big");
      const answer = await connection.waitFor(isAnswered, context.times.answerMs);
      await context.wait(context.times.quietMs);
      await secondAgent?.connection.request("ping");
      if (answer !== undefined) return "it was answered";
      const { closed } = connection;
      const { answerMs } = context.times;
      demand(closed !== undefined, `it was neither answered nor closed within ${answerMs} ms`);
      demand(closed.code === 1009, `the connection was closed ${describeClose(closed)}`);
      return "closed with 1009";
    },
  },
];

const RUBBISH = ["{nope", "\u0000\u0001", "[[[[", '{"jsonrpc":"2.0","id":{},"method":7}', "null"];

function filler(): string {
  return "x".repeat(OVERSIZE);
}
