import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openFolderHost } from "./index.ts";

async function openRoot(count = 0) {
  const root = join(temporaryFolder("idewire-watches-"), "root");
  await mkdir(root);
  for (let at = 0; at < count; at += 1) await mkdir(join(root, `d${String(at).padStart(4, "0")}`));
  const warnings: string[] = [];
  const host = await openFolderHost(root, { warn: (words) => warnings.push(words) });
  onTestFinished(() => host.close());
  const problems = async () => {
    const files = (await host.diagnostics?.()) ?? [];
    return files.filter(({ diagnostics }) => diagnostics.length > 0).map(({ path }) => path);
  };
  return { root: root as PosixPath, host, warnings, problems };
}

const waitFor = (holds: () => unknown) => vi.waitFor(holds, { timeout: 20_000, interval: 200 });
const selectedIn = ({ host }: Awaited<ReturnType<typeof openRoot>>) =>
  host.selection("latest")?.ranges[0]?.text;
const WORD = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };

describe("in a folder of more folders than are watched", () => {
  test("problems and open documents of the last folder are up to date, and the person is warned once", async () => {
    const opened = await openRoot(1_100);
    const { root, host, warnings, problems } = opened;
    await waitFor(() => expect(warnings).toHaveLength(1));
    expect(await problems()).toEqual([]);
    const last = `${root}/d1099` as PosixPath;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await writeFile(`${last}/bad.json`, "{");
    await waitFor(async () => expect(await problems()).toEqual([`${last}/bad.json`]));
    await writeFile(`${last}/a.txt`, "old text");
    await host.select(`${last}/a.txt` as PosixPath, WORD);
    await writeFile(`${last}/a.txt`, "new words");
    await waitFor(() => expect(selectedIn(opened)).toBe("new"));
    expect(warnings).toHaveLength(1);
  });
});

describe("a folder that is served and", () => {
  test.each([
    ["removed", (root: string) => rm(root, { recursive: true })],
    ["moved away", (root: string) => rename(root, `${root}.away`)],
  ])(
    "%s reports none of its former files, and is served again once it is recreated",
    async (_, take) => {
      const opened = await openRoot();
      const { root, host, problems } = opened;
      const path = `${root}/a.txt` as PosixPath;
      await writeFile(`${root}/bad.json`, "{");
      await writeFile(path, "old text");
      await waitFor(async () => expect(await problems()).toEqual([`${root}/bad.json`]));
      await host.select(path, WORD);
      await take(root);
      await waitFor(() => expect(host.documents()).toEqual([]));
      expect(await problems()).toEqual([]);
      await mkdir(`${root}/sub`, { recursive: true });
      await writeFile(`${root}/sub/worse.json`, "{");
      await waitFor(async () => expect(await problems()).toEqual([`${root}/sub/worse.json`]));
      await writeFile(path, "newer");
      await host.select(path, WORD);
      await writeFile(path, "not the same");
      await waitFor(() => expect(selectedIn(opened)).toBe("not"));
    },
    60_000,
  );
});
