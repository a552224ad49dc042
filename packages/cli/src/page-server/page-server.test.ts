import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { PageServer } from "./page-server.ts";
import { TicketStore } from "./ticket-store.ts";

/** The reason for which a page's credentials are refused; `null` if they are accepted. */
async function why(port: number, ...names: readonly string[]): Promise<unknown> {
  const headers = { "idewire-credentials": names.join(", ") };
  const answer = await fetch(`http://127.0.0.1:${port}/live/why`, { headers });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const { refused, ...rest } = (await answer.json()) as { readonly refused: unknown };
  expect(rest).toEqual({});
  return refused;
}

/** The result of the page's own upgrade: `open`, or a status with its reason. */
function upgrade(port: number, ...names: readonly string[]): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, ["idewire.v1", ...names], { origin });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("unexpected-response", (_, { statusCode }) => {
      void why(port, ...names).then((words) => resolve(`${statusCode} ${words}`), reject);
    });
    socket.on("message", () => resolve("open"));
  });
}

test("a link unused for a minute is invalid, and a new one works", async () => {
  let nowMs = 0;
  const server = await PageServer.open({
    files: new Map(),
    tickets: new TicketStore(() => nowMs),
    onpage: (peer) => peer.notify("here"),
  });
  onTestFinished(() => server.close());
  const ticket = (): string => `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const late = ticket();
  nowMs = 60_001;
  expect(await upgrade(server.port, late)).toBe("401 This link is older than 60 s");
  expect(await upgrade(server.port, ticket())).toBe("open");
});

test("a page that misses two pings is closed, and one that answers remains", async () => {
  const left: string[] = [];
  const server = await PageServer.open({
    files: new Map(),
    pingMs: 20,
    onpage: (peer, key) => void peer.closed.then(() => left.push(key.slice(-1))),
  });
  onTestFinished(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const join = (letter: string, autoPong: boolean) => {
    const names = [server.createLink().split("#t=")[1], letter.repeat(43)];
    const offered = [`idewire.ticket.${names[0]}`, `idewire.key.${names[1]}`];
    const url = `ws://127.0.0.1:${server.port}/live`;
    const socket = new WebSocket(url, ["idewire.v1", ...offered], { origin, autoPong });
    onTestFinished(() => socket.terminate());
    return socket;
  };
  const here = join("h", true);
  const gone = join("g", false);
  let pings = 0;
  gone.on("ping", () => {
    pings += 1;
  });
  await new Promise((resolve) => gone.on("close", resolve));
  expect(pings).toBe(2);
  await new Promise((resolve) => here.once("ping", resolve));
  expect([left, here.readyState]).toEqual([["g"], WebSocket.OPEN]);
});

test("a page disconnected before the answer reconnects with the key that it chose", async () => {
  const server = await PageServer.open({
    files: new Map(),
    onpage: (peer) => peer.notify("here"),
  });
  onTestFinished(() => server.close());
  const ticket = `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const [own, other] = ["k", "o"].map((letter) => `idewire.key.${letter.repeat(43)}`);
  expect(await upgrade(server.port, `${own}`)).toBe("401 This tab's session has expired");
  expect(await upgrade(server.port, ticket, `${own}`)).toBe("open");
  expect(await upgrade(server.port, ticket, `${own}`)).toBe("open");
  expect(await upgrade(server.port, `${own}`)).toBe("open");
  expect(await upgrade(server.port, ticket, `${other}`)).toMatch(/^401 .*used already/);
  expect(await upgrade(server.port, "idewire.key.short")).toMatch(/^401 /);
});

test("asking for the reason uses up no ticket, and discloses nothing without one", async () => {
  const server = await PageServer.open({ files: new Map(), onpage: (peer) => peer.notify("here") });
  onTestFinished(() => server.close());
  const ticket = `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const nothing = await why(server.port);
  expect(await why(server.port, "idewire.key.x")).toBe(nothing);
  expect(await why(server.port, ticket)).toBe(null);
  expect(await why(server.port, ticket)).toBe(null);
  expect(await upgrade(server.port, ticket)).toBe("open");
  expect(await why(server.port, ticket)).toMatch(/used already/);
});
