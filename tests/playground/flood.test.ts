import { expect, test } from "vitest";
import { RawClient } from "../src/raw-client.ts";
import { openLive, untilLive } from "./live-fixture.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const CALLS = 2_000;
const IN_FLIGHT = 64;

/** Calls a tool many times, with several calls in flight. */
function callOften({ socket }: RawClient): Promise<void> {
  const method = "tools/call";
  const params = { name: "getOpenEditors", arguments: {} };
  let sent = 0;
  let answered = 0;
  const call = (): void => {
    sent += 1;
    if (sent <= CALLS) socket.send(JSON.stringify({ jsonrpc: "2.0", id: sent, method, params }));
  };
  return new Promise((resolve, reject) => {
    socket.on("message", (data) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id === undefined || result === undefined) return;
      answered += 1;
      if (answered === CALLS) resolve();
      else call();
    });
    socket.once("close", (code) => reject(new Error(`sent away with ${code} after ${answered}`)));
    for (let count = 0; count < IN_FLIGHT; count += 1) call();
  });
}

test("an agent that calls as fast as it can is answered; the page shows all calls and stays usable [playground:bad:flood]", async () => {
  const { lockFile, page } = await openLive(site);
  let lost = 0;
  page.on("websocket", () => {
    lost += 1;
  });
  const agent = await RawClient.ready(lockFile);
  const calling = callOften(agent);
  await page.getByTestId("share").click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await calling;
  // The handshake, and each call with its answer.
  await expect.poll(() => framesOf(page)).toBeGreaterThanOrEqual(2 * CALLS + 3);
  await untilLive(page);
  expect(lost).toBe(0);
});
