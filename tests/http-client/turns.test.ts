import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { events, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const EVENTS = 1_000;
const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/busy" })}\n\n`;
/** The number of events between two checks of the time. */
const SLICE_EVENTS = 4_096 / event.length;

function work(): void {
  const startedMs = performance.now();
  while (performance.now() - startedMs < 1);
}

/** The maximum of events processed in one turn of the event loop. */
async function mostInTurn(run: (onevent: () => void) => Promise<unknown>): Promise<number> {
  let most = 0;
  let inTurn = 0;
  let isOver = false;
  const count = () => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    work();
  };
  const turns = (async () => {
    while (!isOver) {
      await new Promise(setImmediate);
      inTurn = 0;
    }
  })();
  await run(count);
  isOver = true;
  await turns;
  return most;
}

test("events that arrive faster than they are processed do not starve other tasks", async () => {
  const server = await new ScriptedHttpServer(
    withSessions(({ message }, response) => {
      if (message.method !== "tools/call") return false;
      const answer = `data: ${JSON.stringify(result(message.id, { content: [] }))}\n\n`;
      return events(response).end(event.repeat(EVENTS) + answer);
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const most = await mostInTurn(async (onnotification) => {
    const client = await connectOverHttp(server, { era: "legacy", onnotification });
    await client.callTool("a");
    await client.close();
  });
  expect(most).toBeLessThanOrEqual(2 * SLICE_EVENTS + 2);
});
