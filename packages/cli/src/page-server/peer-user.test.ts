import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { WebSocket } from "ws";
import { PageServer } from "./page-server.ts";
import { findPeerUser } from "./peer-user.ts";

/** The account that owns nothing. */
const NOBODY = 65_534;

/** Only root can run a process as another user; otherwise the tests are skipped, and the report says so. */
function needRoot({ skip }: TestContext): void {
  if (process.geteuid?.() !== 0) skip("missing tier: a second account of this machine wants root");
}

/** Runs a script as another user; resolves to its output. */
async function asNobody(script: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["-e", script, ...args], {
    ...{ uid: NOBODY, gid: NOBODY, cwd: "/", env: {}, stdio: ["ignore", "pipe", "inherit"] },
  });
  let output = "";
  child.stdout?.on("data", (bytes) => {
    output += bytes;
  });
  await once(child, "close");
  return output;
}

async function openServer() {
  let pages = 0;
  const server = await PageServer.open({
    files: new Map([["/", { body: Buffer.from("page"), type: "text/html", isHashed: false }]]),
    onpage: (peer) => {
      pages += 1;
      peer.notify("here");
    },
  });
  onTestFinished(() => server.close());
  const [origin = "", ticket = ""] = server.createLink().split("/#t=");
  return { server, origin, ticket, pages: () => pages };
}

/** Connects with a ticket, as a page does. */
async function enter(origin: string, ticket: string): Promise<void> {
  const names = ["idewire.v1", `idewire.ticket.${ticket}`];
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, names, { origin });
  onTestFinished(() => socket.terminate());
  await once(socket, "message");
}

const UPGRADE = `
  const { connect } = require("node:net");
  const [port, ticket, times, end] = process.argv.slice(1);
  const host = "127.0.0.1:" + port;
  const head = ["GET /live HTTP/1.1", "Host: " + host, "Origin: http://" + host,
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: idewire.v1, idewire.ticket." + ticket, "", ""].join("\\r\\n");
  let left = Number(times);
  const next = () => {
    if (left-- <= 0) return;
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.on("close", next);
    socket.on("data", (bytes) => console.log(String(bytes).split("\\r\\n")[0]));
    socket.on("connect", () => socket.write(head, () => socket[end]?.()));
  };
  for (let chain = 0; chain < 10; chain++) next();
`;

describe("the page of one user is refused to another user of the same machine", () => {
  test("even with the ticket, which stays valid for its owner", async (context) => {
    needRoot(context);
    const { server, origin, ticket, pages } = await openServer();
    const output = await asNobody(UPGRADE, `${server.port}`, ticket, "1", "none");
    expect(output).toBe("HTTP/1.1 403 Forbidden\n");
    expect(pages()).toBe(0);
    await enter(origin, ticket);
  });

  test.for(["destroy", "resetAndDestroy", "end"])(
    "a connection that ends before its user is known: %s",
    async (end, context) => {
      needRoot(context);
      const { server, origin, ticket, pages } = await openServer();
      await asNobody(UPGRADE, `${server.port}`, ticket, "200", end);
      expect(pages()).toBe(0);
      await enter(origin, ticket);
    },
  );

  test("for its files, and for the reason of a refused socket", async (context) => {
    needRoot(context);
    const { origin } = await openServer();
    const ask = `fetch(process.argv[1]).then(async (a) => console.log(a.status, await a.text()))`;
    for (const path of ["/", "/live/why"]) {
      expect(await asNobody(ask, origin + path)).toMatch(/^403 .*the user that started idewire/);
      expect((await fetch(origin + path)).status).toBe(200);
    }
  });
});

test("the user of a connection is found, over IPv4 and over IPv6", async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
    const socket = connect({ host, port });
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    await expect.poll(() => accepted.length).toBe(1);
    const [other] = accepted.splice(0) as [Socket];
    const uid = process.geteuid?.();
    expect(await findPeerUser(other)).toEqual({ kind: "user", uid });
    // Concurrent queries share a few reads of the system's table.
    const many = await Promise.all(Array.from({ length: 500 }, () => findPeerUser(other)));
    expect(many.every((peer) => peer.kind === "user" && peer.uid === uid)).toBe(true);
    socket.resetAndDestroy();
    await expect.poll(async () => (await findPeerUser(other)).kind).toBe("gone");
  }
});
