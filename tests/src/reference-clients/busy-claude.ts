import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { ClaudeClient } from "./claude-client.ts";

// A separate program: it is suspended some time after its request for the tools, as by a busy machine, and
// resumed by its starter.

const [cwd = "", env = "{}", stopAfterMs = "0"] = process.argv.slice(2);

function type(line: unknown): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function stop(): void {
  type("stopped");
  process.kill(process.pid, "SIGSTOP");
}

const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (this: WebSocket, ...args: readonly unknown[]) {
  Reflect.apply(send, this, args);
  if (!String(args[0]).includes('"tools/list"')) return;
  if (stopAfterMs === "0") stop();
  else setTimeout(stop, Number(stopAfterMs));
} as typeof send;

const client = await ClaudeClient.start({ env: JSON.parse(env), cwd, pollMs: 20 });
await client.untilReady();
// The time in which a person types; a busy machine may be slow as well.
for (let count = 0; count < 400 && client.inbox.context === undefined; count += 1) await sleep(25);
// A duplicate would have arrived by now.
await sleep(500);
const receivedSoFar = client.transcript
  .received()
  .filter(({ method }) => method === "selection_changed");
type({ context: client.inbox.context ?? null, times: receivedSoFar.length });
await client.exit();
