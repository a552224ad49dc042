import { once } from "node:events";
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebSocketTransport, Peer } from "@idewire/core/rpc";
import { editorHostContract, type HostUnderTest, posixPath } from "@idewire/core/testing";
import { PageClient } from "@idewire/devtools/internal";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog, openFolderPage, type PageServer } from "./index.ts";

const text = "first line ✓\nsecond line\n";

/** A page that has been admitted and has the editor's state. */
async function openPage(server: PageServer): Promise<PageClient> {
  const ticket = `idewire.ticket.${server.createLink().split("#t=")[1]}`;
  const origin = `http://127.0.0.1:${server.port}`;
  const url = `ws://127.0.0.1:${server.port}/live`;
  const socket = new WebSocket(url, ["idewire.v1", ticket], { origin });
  const page = new PageClient(new Peer(createWebSocketTransport(socket)));
  page.on("live/events", () => {});
  const joined = new Promise<void>((resolve) => page.on("live/joined", () => resolve()));
  await once(socket, "open");
  await page.request("live/join", {});
  await joined;
  return page;
}

/** A folder that a person edits in a page. */
async function makeHost(): Promise<HostUnderTest> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "idewire page ✓ ")));
  await writeFile(join(folder, "notes.txt"), text);
  const host = await openFolderHost(folder);
  const log = new FolderLog(host);
  const env = { HOME: folder };
  const server = await openFolderPage({
    ...{ host, log, env, isMapped: false, files: new Map() },
    commandFor: (port) => `idewire serve --web-port ${port}`,
  });
  const page = await openPage(server);
  const nameOf = (path: string) => path.slice(host.folder.length + 1);
  return {
    host,
    file: { path: posixPath(`${host.folder}/notes.txt`), text },
    edit: async (path, unsaved) => {
      await page.command({ do: "edit", path: nameOf(path), text: unsaved });
    },
    select: async (path, range) => {
      await page.command({ do: "select", path: nameOf(path), range });
    },
    answer: async (id, answer) => {
      const { value } = await page.command({ do: "answerDiff", id, answer });
      return value === true;
    },
    dispose: async () => {
      page.peer.close();
      await server.close();
      log.close();
      await host.close();
      await removeFolder(folder);
    },
  };
}

editorHostContract({ test, expect }, { name: "folder in a page", makeHost });
