import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebSocketTransport, isObject, Peer } from "@idewire/core";
import { editorHostContract, type HostUnderTest, posixPath } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog, openFolderPage, type PageServer } from "./index.ts";

const text = "first line ✓\nsecond line\n";

/** A page that has been let in and knows how the editor is. */
async function openPage(server: PageServer): Promise<Peer> {
  const ticket = `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const origin = `http://127.0.0.1:${server.port}`;
  const url = `ws://127.0.0.1:${server.port}/live`;
  const socket = new WebSocket(url, ["idewire.v1", ticket], { origin });
  const peer = new Peer(createWebSocketTransport(socket));
  peer.handle("live/events", () => ({}));
  const joined = new Promise<void>((resolve) => peer.handle("live/joined", () => resolve()));
  await once(socket, "open");
  await peer.request("live/join");
  await joined;
  return peer;
}

/** A folder whose person sits before a page. */
async function makeHost(): Promise<HostUnderTest> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "idewire page ✓ ")));
  await writeFile(join(folder, "notes.txt"), text);
  const host = await openFolderHost(folder);
  const log = new FolderLog(host);
  const env = { HOME: folder };
  const server = await openFolderPage({ host, log, env, isMapped: false, files: new Map() });
  const page = await openPage(server);
  const nameOf = (path: string) => path.slice(host.folder.length + 1);
  return {
    host,
    file: { path: posixPath(`${host.folder}/notes.txt`), text },
    edit: async (path, unsaved) => {
      await page.request("live/edit", { path: nameOf(path), text: unsaved });
    },
    select: async (path, range) => {
      await page.request("live/select", { path: nameOf(path), range });
    },
    answer: async (id, answer) => {
      const result = await page.request("live/answer", { id, ...answer });
      return isObject(result) && result["answered"] === true;
    },
    dispose: async () => {
      page.close();
      await server.close();
      log.close();
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

editorHostContract({ test, expect }, { name: "folder in a page", makeHost });
