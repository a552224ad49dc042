import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { serveHost } from "@idewire/core";
import { Peer } from "@idewire/core/rpc";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { connectIde } from "../agent/connect.ts";
import { createNodeWebSocketTransport } from "../web-socket/web-socket-transport.ts";
import type { IdeListener } from "./listen-options.ts";
import { type HostsServer, type ServeHostsOptions, serveHosts } from "./serve-hosts.ts";

const COOKIE = { cookie: "session=of-a-person" };

/** A server of pages, with a separate home. */
async function openServer(options: Partial<ServeHostsOptions> = {}) {
  const root = temporaryFolder("idewire-pages-");
  const env = { HOME: root };
  const webSockets = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  const listeners: IdeListener[] = [];
  const errors: Error[] = [];
  const pages: HostsServer = serveHosts(webSockets, {
    authenticate: ({ headers }) => headers["cookie"] === COOKIE.cookie,
    listen: { env, resume: false },
    onlistening: (listener) => void listeners.push(listener),
    onerror: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(async () => {
    await pages.close();
    webSockets.close();
  });
  if (webSockets.address() === null) await once(webSockets, "listening");
  const { port } = webSockets.address() as { port: number };
  return { root, env, pages, listeners, errors, url: `ws://127.0.0.1:${port}` };
}

/** A page with a folder. */
async function openPage(url: string, folder: string, headers: Record<string, string> = COOKIE) {
  const webSocket = new WebSocket(url, { headers });
  const [[response]] = await Promise.all([once(webSocket, "upgrade"), once(webSocket, "open")]);
  const { socket } = response as IncomingMessage;
  const host = fakeEditorHost();
  mkdirSync(folder, { recursive: true });
  host.folders = [{ path: posixPath(folder), name: "work" }];
  const peer = new Peer(createNodeWebSocketTransport(webSocket, socket));
  const problems: unknown[] = [];
  peer.handle("host/problem", ({ params }) => void problems.push(params?.["message"]));
  onTestFinished(() => peer.close());
  return { host, peer, problems, served: serveHost(peer, host) };
}

test("agents find a page that connects, and lose it when it disconnects", async () => {
  const { url, root, env, listeners } = await openServer();
  const folder = join(root, "work");
  const { host, peer, served } = await openPage(url, folder);
  await served;
  await expect.poll(() => listeners.length).toBe(1);
  const agent = await connectIde({ name: "agent", version: "1", cwd: folder, env });
  onTestFinished(() => agent.close());
  const answer = agent.openDiff({ filePath: join(folder, "a.txt"), newText: "new\n" });
  await expect.poll(() => host.shownDiffs.length).toBe(1);
  host.answerDiff(host.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "mine\n" });
  expect(await answer).toMatchObject({ text: "mine\n" });
  peer.close();
  await expect.poll(() => listeners[0]?.sessions.size).toBe(0);
});

test("a page is notified of its folders once their lock files are published", async () => {
  const { url, root } = await openServer();
  const folder = join(root, "work");
  const { peer } = await openPage(url, folder);
  const published: unknown[] = [];
  peer.handle("host/listening", ({ params }) => {
    const locks = readdirSync(join(root, ".claude/ide"));
    published.push([params?.["folders"], locks.filter((name) => name.endsWith(".lock")).length]);
  });
  await expect.poll(() => published).toEqual([[[{ path: folder }], 1]]);
});

test("two pages are two editors, each with its folder", async () => {
  const { url, root, env, listeners } = await openServer();
  await Promise.all(["one", "two"].map((name) => openPage(url, join(root, name))));
  await expect.poll(() => listeners.length).toBe(2);
  const cwd = join(root, "two");
  const agent = await connectIde({ name: "agent", version: "1", cwd, env });
  onTestFinished(() => agent.close());
  expect(agent.editor?.folders).toEqual([cwd]);
});

test("a page that is not admitted is disconnected, and nothing of it is read", async () => {
  const { url, root, listeners, errors } = await openServer();
  const { peer, served } = await openPage(url, join(root, "work"), {});
  await expect(served).rejects.toThrow();
  expect(await peer.closed).toMatchObject({ code: 1008 });
  expect([listeners, errors]).toEqual([[], []]);
});

test("a page whose admission takes time, or fails, loses nothing else", async () => {
  let admit: (isAdmitted: boolean) => void = () => undefined;
  const admission = new Promise<boolean>((resolve) => {
    admit = resolve;
  });
  const { url, root, listeners, errors } = await openServer({
    authenticate: ({ url: path }) =>
      path === "/broken" ? Promise.reject(new Error("no database")) : admission,
  });
  const broken = await openPage(`${url}/broken`, join(root, "work"));
  await expect(broken.served).rejects.toThrow();
  const { served } = await openPage(url, join(root, "work"));
  await expect.poll(() => errors.map(({ message }) => message)).toEqual(["no database"]);
  expect(listeners).toEqual([]);
  admit(true);
  await served;
  await expect.poll(() => listeners.length).toBe(1);
});

test("a page whose folder is served already joins the first one", async () => {
  const home = temporaryFolder("idewire-home-");
  const { url, root, listeners, errors } = await openServer({ listen: { env: { HOME: home } } });
  const first = await openPage(url, join(root, "work"));
  await expect.poll(() => listeners.length).toBe(1);
  await openPage(url, join(root, "work"));
  await expect.poll(() => listeners.map(({ joined }) => joined)).toEqual([false, true]);
  first.peer.close();
  await expect.poll(() => listeners[1]?.joined).toBe(false);
  expect(errors).toEqual([]);
});

test("closing disconnects all pages", async () => {
  const { url, root, pages, listeners } = await openServer();
  const { peer } = await openPage(url, join(root, "work"));
  await expect.poll(() => listeners.length).toBe(1);
  await pages.close();
  expect(await peer.closed).toMatchObject({ code: 1001 });
  await vi.waitFor(() => expect(listeners[0]?.sessions.size).toBe(0));
});

test("anything but a WebSocketServer is refused", () => {
  const options = { authenticate: () => true };
  expect(() => serveHosts({} as never, options)).toThrow("expected a WebSocketServer");
  const server = new WebSocketServer({ noServer: true });
  expect(() => serveHosts(server, { ...options, authentcate: 1 } as never)).toThrow("authentcate");
  expect(() => serveHosts(server, {} as never)).toThrow("without authenticate()");
});
