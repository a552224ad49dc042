import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PosixPath } from "@idewire/core";
import { IdewireError, ToolFailure } from "@idewire/core/rpc";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type FolderHost, openFolderHost } from "./index.ts";

let root: string;
let folder: string;
let host: FolderHost;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "idewire-paths-")));
  folder = join(root, "my wörk");
  await mkdir(join(folder, "sub"), { recursive: true });
  await mkdir(join(root, "outside"));
  await writeFile(join(root, "outside", "secret.md"), "secret");
  await writeFile(join(folder, "a.md"), "a\n");
  await writeFile(join(folder, "pixel.png"), Buffer.from([0x89, 0x50, 0, 1]));
  await writeFile(join(folder, "latin1.txt"), Buffer.from([0x66, 0xfc, 0x72]));
  await symlink(join(root, "outside", "secret.md"), join(folder, "link-out.md"));
  await symlink(join(root, "outside"), join(folder, "dir-out"));
  await symlink(join(root, "outside", "nothing"), join(folder, "dangling-out"));
  await symlink("../outside/nothing", join(folder, "dangling-relative"));
  await symlink("loop-b", join(folder, "loop-a"));
  await symlink("loop-a", join(folder, "loop-b"));
  await symlink("../outside/loop", join(folder, "loop-out"));
  await symlink(join(folder, "loop-out"), join(root, "outside", "loop"));
  await symlink("a.md", join(folder, "link-in.md"));
  host = await openFolderHost(folder);
});

afterEach(async () => {
  await host.close();
  await removeFolder(root);
});

function inFolder(name: string): PosixPath {
  return `${folder}/${name}` as PosixPath;
}

async function failureOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  return (error as ToolFailure).message;
}

/** The failures of the operations that receive a path and read its file. */
async function readFailuresOf(path: string): Promise<readonly string[]> {
  const requested = path as PosixPath;
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return Promise.all([
    failureOf(host.read(requested)),
    failureOf(host.open(requested)),
    failureOf(host.select(requested, range)),
    failureOf(host.edit(requested, "mine")),
  ]);
}

/** The failures of all operations that receive a path from an agent. */
async function failuresOf(path: string): Promise<readonly string[]> {
  const mention = await failureOf(host.mention({ path: path as PosixPath }));
  return [...(await readFailuresOf(path)), mention];
}

describe("a folder", () => {
  test("that is missing, or a file, is refused with the value seen", async () => {
    for (const bad of [join(folder, "nowhere"), join(folder, "a.md")]) {
      const error: unknown = await openFolderHost(bad).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(IdewireError);
      expect(error).toMatchObject({ code: "not-a-folder" });
      expect((error as Error).message).toContain(JSON.stringify(bad));
    }
  });

  test("is identified by its real path, however it was named", async () => {
    await symlink(folder, join(root, "alias"));
    const other = await openFolderHost(join(root, "alias", "sub", ".."));
    expect(other.workspace()).toEqual({
      folders: [{ path: folder, name: "my wörk" }],
      trusted: true,
    });
    expect(await other.read(join(root, "alias", "a.md") as PosixPath)).toBe("a\n");
    await other.close();
  });
});

describe("a path that leads outside", () => {
  test.each([
    ["by ..", "sub/../../outside/secret.md"],
    ["by .. to a missing file", "../outside/no"],
    ["by a link to a file", "link-out.md"],
    ["by a link to a directory", "dir-out/secret.md"],
    ["by a link to a directory, to a missing file", "dir-out/no.md"],
    ["by a link to nothing", "dangling-out"],
    ["by a relative link to nothing", "dangling-relative"],
    ["by a circle of links that goes through another folder", "loop-out"],
  ])("%s gets one and the same answer", async (_how, name) => {
    for (const message of await failuresOf(inFolder(name))) {
      expect(message).toMatch(
        /is outside the workspace folder .*my wörk, or a link leads it there$/,
      );
    }
    expect(await failureOf(host.diagnostics?.(inFolder(name)) as Promise<unknown>)).toContain(
      "is outside",
    );
  });

  test("discloses nothing about existing files", async () => {
    const there = await failureOf(host.read(join(root, "outside", "secret.md") as PosixPath));
    const missing = await failureOf(host.read(join(root, "outside", "no.md") as PosixPath));
    expect(there.replace("secret.md", "no.md")).toBe(missing);
  });

  test("has nothing written behind it", async () => {
    await failuresOf(inFolder("dir-out/new.md"));
    expect(await readdir(join(root, "outside"))).toEqual(["loop", "secret.md"]);
  });
});

describe("a path in the folder", () => {
  test.each([
    ["missing.md", "does not exist"],
    ["a.md/below", "does not exist"],
    ["loop-a", "does not exist"],
    ["loop-a/below", "does not exist"],
    ["sub", "is a directory, not a file"],
    ["pixel.png", "is a binary file, not UTF-8 text"],
    ["latin1.txt", "is a binary file, not UTF-8 text"],
  ])("that is not text, %s, is refused with the rule", async (name, rule) => {
    for (const message of await readFailuresOf(inFolder(name))) {
      expect(message).toBe(`${inFolder(name)} ${rule}`);
    }
  });

  test("with NUL is refused", async () => {
    for (const message of await failuresOf(inFolder("a\0.md"))) {
      expect(message).toBe("a path may not contain NUL");
    }
  });

  test("that is a pipe is refused without waiting", async () => {
    await promisify(execFile)("mkfifo", [join(folder, "pipe")]);
    expect(await failureOf(host.read(inFolder("pipe")))).toContain("is not a regular file");
  });

  test("of more than 16 MiB is refused with its size", async () => {
    await writeFile(join(folder, "big.txt"), "x".repeat(16 * 1024 * 1024 + 1));
    expect(await failureOf(host.read(inFolder("big.txt")))).toContain(
      "has 16777217 bytes, more than 16777216",
    );
  });

  test("of 10 MB is read", async () => {
    await writeFile(join(folder, "large.txt"), "x".repeat(10_000_000));
    expect(await host.read(inFolder("large.txt"))).toHaveLength(10_000_000);
  });

  test("that is a link to a file in it is that file", async () => {
    await host.open(inFolder("link-in.md"));
    await host.open(inFolder("a.md"));
    expect(host.documents().map(({ path }) => path)).toEqual([inFolder("a.md")]);
  });

  test("is found whether its umlauts are composed or not", async () => {
    await writeFile(join(folder, "Übung ö.md".normalize("NFD")), "found");
    expect(await host.read(inFolder("Übung ö.md".normalize("NFC")))).toBe("found");
    await host.open(inFolder("Übung ö.md".normalize("NFC")));
    await host.open(inFolder("Übung ö.md".normalize("NFD")));
    expect(host.documents()).toHaveLength(1);
    expect(await host.closeTab?.("Übung ö.md".normalize("NFC"))).toBe(true);
  });
});
