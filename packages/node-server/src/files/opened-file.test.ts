import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type FindOpened, findByDescriptor, findByIdentity, openReal } from "./opened-file.ts";
import { WorkspacePaths } from "./workspace-path.ts";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "idewire-opened-")));
  for (const name of ["work/sub", "outside"]) await mkdir(join(root, name), { recursive: true });
  for (const name of ["work/a", "work/sub/a", "outside/a"]) await writeFile(pathOf(name), name);
  await symlink("../outside/a", pathOf("work/out"));
  await symlink("sub", pathOf("work/in"));
});

afterEach(() => removeFolder(root));

function pathOf(name: string): PosixPath {
  return join(root, name) as PosixPath;
}

async function realOf(name: string, find: FindOpened): Promise<string> {
  const { handle, real } = await openReal(pathOf(name), find);
  await handle.close();
  return real.slice(root.length + 1);
}

/** Runs `act` after a file is opened and before its location is determined. */
function after(find: FindOpened, act: () => Promise<unknown>): FindOpened {
  let isDone = false;
  return async (handle, opened) => {
    if (!isDone) await act();
    isDone = true;
    return find(handle, opened);
  };
}

const ways = { "by its descriptor": findByDescriptor, "by its identity": findByIdentity };

describe.each(Object.entries(ways))("an opened file is located %s", (_name, find) => {
  test("with links followed, and for a directory too", async () => {
    expect(await realOf("work/a", find)).toBe("work/a");
    expect(await realOf("work/out", find)).toBe("outside/a");
    expect(await realOf("work/in/a", find)).toBe("work/sub/a");
    expect(await realOf("work/in", find)).toBe("work/sub");
  });

  test("under the requested name, for a file with two names", async () => {
    await link(pathOf("work/a"), pathOf("work/b"));
    expect(await realOf("work/b", find)).toBe("work/b");
  });

  test("when a link was replaced by a file after opening: nothing foreign is read", async () => {
    const swap = () => rename(pathOf("work/a"), pathOf("work/out"));
    const paths = new WorkspacePaths(pathOf("work"), after(find, swap));
    const found = await paths.read(pathOf("work/out"));
    expect(found).not.toMatchObject({ inside: true, file: { text: "outside/a" } });
  });

  test("when it was replaced by a link after opening", async () => {
    const swap = () => rename(pathOf("work/out"), pathOf("work/a"));
    const paths = new WorkspacePaths(pathOf("work"), after(find, swap));
    const found = await paths.readInside(pathOf("work/a")).catch(String);
    expect(JSON.stringify(found)).not.toContain('"outside/a"');
  });

  test("when its folder has been replaced", async () => {
    const swap = async () => {
      await rename(pathOf("work/sub"), pathOf("work/old"));
      await symlink("../outside", pathOf("work/sub"));
    };
    const paths = new WorkspacePaths(pathOf("work"), after(find, swap));
    const found = await paths.readInside(pathOf("work/sub/a")).catch(String);
    expect(JSON.stringify(found)).not.toContain('"outside/a"');
  });

  test("or not at all, if it changes each time", async () => {
    let turn = 0;
    const never: FindOpened = async (handle, opened) => {
      await writeFile(`${opened}.new`, String(turn++));
      await rename(`${opened}.new`, opened);
      return find === findByDescriptor ? undefined : find(handle, opened);
    };
    await expect(openReal(pathOf("work/a"), never)).rejects.toMatchObject({ code: "ESTALE" });
    expect(turn).toBeGreaterThan(1);
  });
});

describe("a deleted file", () => {
  test("is located at its last path, and an existing one whose name ends in (deleted) at its own", async () => {
    const gone = after(findByDescriptor, () => rm(pathOf("work/a")));
    const { handle, real } = await openReal(pathOf("work/a"), gone);
    await handle.close();
    expect(real).toBe(pathOf("work/a"));
    await writeFile(pathOf("work/id_rsa (deleted)"), "");
    expect(await realOf("work/id_rsa (deleted)", findByDescriptor)).toBe("work/id_rsa (deleted)");
  });
});
