import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffRequest, PosixPath } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type DiagnosticSource, type FolderHost, openFolderHost } from "./index.ts";

const CANARY = "canary-7f3a";

/** Quotes each text that it checks. */
const quoting: DiagnosticSource = {
  name: "quoting",
  accepts: () => true,
  check: async (_path, text) => [
    {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      severity: "error",
      message: text,
    },
  ],
};

let root: string;
let folder: string;
let host: FolderHost;
/** All output of the host since it was opened. */
let output: string[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "idewire-led-")));
  folder = join(root, "work");
  await mkdir(join(folder, "sub"), { recursive: true });
  await mkdir(join(folder, ".env.d"));
  await mkdir(join(root, "outside", "sub"), { recursive: true });
  const foreign = ["../outside/a.md", "../outside/sub/a.md", ".env", ".env.d/a.md", "key.pem"];
  for (const name of foreign) await writeFile(join(folder, name), `${CANARY}\n`);
  await writeFile(join(folder, "a.md"), "mine\n");
  await writeFile(join(folder, "sub", "a.md"), "mine\n");
  output = [];
  host = await openFolderHost(folder, { diagnosticSources: [quoting] });
  host.on("selection", () => void output.push(JSON.stringify(host.selection("latest"))));
  host.on("documents", () => void output.push(JSON.stringify(host.documents())));
});

afterEach(async () => {
  await host.close();
  await removeFolder(root);
});

function inFolder(name: string): PosixPath {
  return join(folder, name) as PosixPath;
}

/** Replaces a file or folder with a link in one step. */
async function replaceByLink(path: string, target: string): Promise<void> {
  await symlink(target, `${root}/link`);
  const isFolder = (await lstat(path)).isDirectory();
  if (isFolder) await rename(path, `${root}/moved-${Math.random()}`);
  await rename(`${root}/link`, path);
}

/** Requests everything that contains text. */
async function askAll(path: PosixPath): Promise<void> {
  const answers = await Promise.allSettled([
    host.read(path),
    host.open(path),
    host.select(path, { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }),
    host.diagnostics?.(path),
    host.diagnostics?.(),
    host.revert(path),
    host.keepUnsaved(path),
    host.save?.(path),
  ]);
  output.push(JSON.stringify([answers, host.selection("latest"), host.documents()]));
}

const ways: readonly (readonly [string, string, string, string])[] = [
  ["a link out of the folder", "sub/a.md", "sub/a.md", "../outside/a.md"],
  ["a link to .env.d", "sub/a.md", "sub/a.md", ".env.d/a.md"],
  ["a link to a key", "a.md", "a.md", "key.pem"],
  ["a link to .env", "a.md", "a.md", ".env"],
  ["a folder that is a link out", "sub/a.md", "sub", "../outside/sub"],
  ["a folder that is a link to .env.d", "sub/a.md", "sub", ".env.d"],
  ["a workspace that is a link elsewhere", "a.md", ".", "../outside"],
];

describe("an open document that is redirected out of the workspace, or to a secret, exposes no foreign text", () => {
  test.each(ways)("by %s", async (_way, name, replaced, target) => {
    const path = inFolder(name);
    const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    await host.select(path, range);
    await host.diagnostics?.(path);
    expect(host.selection("latest")?.ranges[0]?.text).toBe("mine\n");
    await replaceByLink(join(folder, replaced), join(folder, target));
    await vi.waitFor(() => expect(host.documents()).toEqual([]), 60_000);
    expect(host.selection("latest")).toBeUndefined();
    // A link to a file inside is opened under its real name, and by that name it is not shared with agents.
    if (target.startsWith("../")) await askAll(path);
    await host.diagnostics?.(path).catch(() => undefined);
    output.push(JSON.stringify(await host.diagnostics?.()));
    expect(output.join("\n")).not.toContain(CANARY);
  });
});

describe("text typed into a redirected document", () => {
  test.each(ways)(
    "is retained, and written to no other file: by %s",
    async (_way, name, replaced, target) => {
      const path = inFolder(name);
      const stale = vi.fn();
      host.onStale(stale);
      await host.edit(path, "typed\n");
      await replaceByLink(join(folder, replaced), join(folder, target));
      expect((await host.save?.(path).catch(() => ({ saved: false })))?.saved).toBe(false);
      await vi.waitFor(() => expect(stale).toHaveBeenCalled(), 60_000);
      expect(await host.read(path)).toBe("typed\n");
      // The target of the link; a folder contains a.md.
      const led = join(target.startsWith("..") ? root : folder, target.replace(/^\.\.\//, ""));
      const file = (await lstat(led).catch(() => undefined))?.isDirectory() ? `${led}/a.md` : led;
      expect(await readFile(file, "utf8")).toBe(`${CANARY}\n`);
      expect(await readdir(join(root, "outside"))).toEqual(["a.md", "sub"]);
    },
  );
});

describe("a proposal is compared with the file that is actually there", () => {
  test("marked as outside if the file's folder is now a link out", async () => {
    const path = inFolder("sub/a.md");
    await host.open(path);
    await replaceByLink(join(folder, "sub"), join(root, "outside/sub"));
    const shown = new Promise((resolve) => host.onDiff("diffOpened", resolve));
    const request: DiffRequest = {
      id: "d1",
      session: "s1",
      path,
      oldPath: path,
      proposed: "new\n",
      title: "a",
      outsideWorkspace: false,
    };
    void host.openDiff?.(request, new AbortController().signal);
    expect(await shown).toMatchObject({ request: { outsideWorkspace: true } });
  });
});

describe("the existence of a secret or a foreign file", () => {
  test("is not disclosed by the findings of a link in a note", async () => {
    const other = await openFolderHost(folder);
    const names = [".env", ".env.local", ".git/index", "id_rsa", "../outside/a.md", "../no.md"];
    await writeFile(inFolder("links.md"), names.map((name) => `[x](${name})\n`).join(""));
    await rm(inFolder(".env.d/a.md"));
    await writeFile(inFolder(".env.d/b.md"), "# One\n");
    await writeFile(inFolder("heads.md"), "[x](.env.d/b.md#two) [y](.env.d/a.md)\n");
    for (const name of ["links.md", "heads.md"]) {
      const path = inFolder(name);
      expect(await other.diagnostics?.(path)).toEqual([{ path, diagnostics: [] }]);
    }
    await other.close();
  });
});
