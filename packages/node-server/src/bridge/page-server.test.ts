import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { PageServer } from "./page-server.ts";
import { TicketDesk } from "./ticket-desk.ts";

/** How an upgrade of the page's own ends: a close code and its words, or `open`. */
function knock(port: number, name: string): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, ["idewire.v1", name], { origin });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code, reason) => resolve(`${code} ${reason}`));
    socket.on("message", () => resolve("open"));
  });
}

test("a link that was left for longer than a minute opens nothing, and another one does", async () => {
  let nowMs = 0;
  const server = await PageServer.open({
    files: new Map(),
    desk: new TicketDesk(() => nowMs),
    onpage: (peer) => peer.notify("here"),
  });
  onTestFinished(() => server.close());
  const ticket = (): string => `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const late = ticket();
  nowMs = 60_001;
  expect(await knock(server.port, late)).toBe(
    "1008 This link is older than 60 s. Ask idewire for another one",
  );
  expect(await knock(server.port, late)).toMatch(/^1008 .*used already/);
  expect(await knock(server.port, ticket())).toBe("open");
});
