import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { type FoundFile, PageClient, servePage } from "@idewire/devtools/internal";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { searchHandlers } from "./live-search.ts";

/** A folder, and the page's end of the wire to its search; `take` is the page's handler of results. */
async function openSearch(files: Readonly<Record<string, string | Buffer>>, excluded = "") {
  const root = temporaryFolder("idewire-search-");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const host = await openFolderHost(root);
  const [page, server] = createMemoryTransportPair();
  const served = new Peer(server);
  const log = {
    nameOf: (path: PosixPath) => path.slice(host.folder.length + 1),
    listener: { isExcluded: (path: PosixPath) => excluded !== "" && path.endsWith(excluded) },
  };
  servePage(served, searchHandlers(served, { host, log }));
  const client = new PageClient(new Peer(page));
  const found: FoundFile[] = [];
  client.on("search/found", (event) => void found.push(...event.found));
  onTestFinished(async () => {
    client.peer.close();
    await host.close();
  });
  return { root, host, client, found };
}

test("the lines of all listed files are found, unsaved text first", async () => {
  const { host, client, found } = await openSearch({
    "a.md": "Beans\n",
    "src/deep/b.ts": "// no\n// beans here\n",
    "c.md": "nothing\n",
  });
  await host.edit(`${host.folder}/c.md` as PosixPath, "typed beans\n");
  expect(await client.request("search/run", { run: 1, text: "beans" })).toEqual({ files: 3 });
  const lines = found.map(({ path, lines: of }) => [path, of[0]?.line, of[0]?.text]);
  expect(lines).toEqual([
    ["a.md", 0, "Beans"],
    ["c.md", 0, "typed beans"],
    ["src/deep/b.ts", 1, "// beans here"],
  ]);
});

test("excluded files, binary files, links, hidden folders and packages are not searched", async () => {
  const { root, client, found } = await openSearch(
    {
      "a.md": "needle",
      ".env": "needle",
      ".git/config": "needle",
      "node_modules/a/index.js": "needle",
      "image.png": Buffer.from("\u0000\u0001needle"),
    },
    ".env",
  );
  const outside = temporaryFolder("idewire-outside-");
  writeFileSync(join(outside, "secret.md"), "needle");
  symlinkSync(join(outside, "secret.md"), join(root, "link.md"));
  symlinkSync(outside, join(root, "linked"));
  expect(await client.request("search/run", { run: 1, text: "needle" })).toEqual({ files: 1 });
  expect(found.map(({ path }) => path)).toEqual(["a.md"]);
});

test("a search waits for the page, and is stopped by the page or by its next search", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${index}.md`, "needle\n"]),
  );
  const { client } = await openSearch(files);
  let go: (value: object) => void = () => {};
  let arrived: () => void = () => {};
  const held = new Promise<object>((resolve) => {
    go = resolve;
  });
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let batches = 0;
  client.peer.handle("search/found", () => {
    batches += 1;
    arrived();
    return held;
  });
  const stopped = client.request("search/run", { run: 1, text: "needle" });
  await first;
  await client.request("search/stop", {});
  go({});
  expect(await stopped).toEqual({ files: 8, cut: "stopped" });
  expect(batches).toBe(1);
  const replaced = client.request("search/run", { run: 2, text: "needle" });
  const last = client.request("search/run", { run: 3, text: "absent" });
  expect(await replaced).toMatchObject({ cut: "stopped" });
  expect(await last).toEqual({ files: 100 });
});

test("no text, and one of more than 1,000 units, are refused", async () => {
  const { client } = await openSearch({ "a.md": "" });
  for (const text of ["", "a".repeat(1_001)])
    await expect(client.request("search/run", { run: 1, text })).rejects.toThrow("text");
});
