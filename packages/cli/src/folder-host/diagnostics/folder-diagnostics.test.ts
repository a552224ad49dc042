import { mkdir, writeFile } from "node:fs/promises";
import type { Diagnostic, PosixPath } from "@idewire/core";
import { describe, expect, test, vi } from "vitest";
import { useFolder } from "../../../../../tests/src/folder-fixture.ts";
import { type DiagnosticSource, openFolderHost } from "../index.ts";

const START = { line: 0, character: 0 };
const TROUBLE: Diagnostic = {
  range: { start: START, end: START },
  severity: "error",
  message: "given",
};

const at = useFolder();
const { pathOf, write, counts } = at;

describe("a request for one file", () => {
  test("returns that file only, even without problems or if it is missing", async () => {
    await write("bad.json", "{");
    await write("code.ts", "const a = ;");
    expect(await counts(pathOf("code.ts"))).toEqual({ "code.ts": 0 });
    expect(await counts(pathOf("new/none.json"))).toEqual({ "new/none.json": 0 });
    expect(await counts(pathOf("bad.json"))).toEqual({ "bad.json": 1 });
  });

  test("gives precedence to unsaved text, and reflects a change on disk at once", async () => {
    const path = await write("a.json", "{}");
    expect(await counts(path)).toEqual({ "a.json": 0 });
    await write("a.json", "[");
    expect(await counts(path)).toEqual({ "a.json": 1 });
    await at.host.edit(path, "[]");
    expect(await counts(path)).toEqual({ "a.json": 0 });
  });

  test("returns the requested name", async () => {
    await write("nö.json".normalize("NFD"), "{");
    const requested = pathOf("nö.json".normalize("NFC"));
    expect((await at.host.diagnostics?.(requested))?.map(({ path }) => path)).toEqual([requested]);
    expect((await at.host.diagnostics?.())?.map(({ path }) => path)).toEqual([requested]);
  });

  test("is refused for directories, binary files and outside paths", async () => {
    await mkdir(pathOf("sub"));
    await writeFile(pathOf("a.json"), Buffer.from([0x7b, 0]));
    await expect(at.host.diagnostics?.(pathOf("sub"))).rejects.toThrow("is a directory");
    await expect(at.host.diagnostics?.(pathOf("a.json"))).rejects.toThrow("is a binary file");
    await expect(at.host.diagnostics?.("/etc/hosts" as PosixPath)).rejects.toThrow("is outside");
  });

  test("does not check 10 MB", async () => {
    const path = await write("big.json", "x".repeat(10_000_000));
    expect(await counts(path)).toEqual({ "big.json": 0 });
  });

  test("reports a failing source", async () => {
    const broken: DiagnosticSource = {
      name: "broken",
      accepts: () => true,
      check: () => Promise.reject(new Error("no luck")),
    };
    const other = await openFolderHost(at.folder, { diagnosticSources: [broken] });
    const [file] = (await other.diagnostics?.(await write("a.x", ""))) ?? [];
    expect(file?.diagnostics).toMatchObject([
      { severity: "information", source: "broken", message: /no luck/ },
    ]);
    await other.close();
  });
});

describe("a request for the folder", () => {
  test("returns the files with problems, except excluded ones", async () => {
    for (const name of ["node_modules", "dist", ".git", "sub"]) {
      await mkdir(pathOf(name));
      await write(`${name}/bad.json`, "{");
    }
    await write("good.json", "{}");
    await write("bad.yaml", "a: 1\na: 2\n");
    // The scan continues after the answer, in the order of names: "sub" is its last folder.
    const wanted = { "bad.yaml": 1, "sub/bad.json": 1 };
    await vi.waitFor(async () => expect(await counts()).toEqual(wanted), 60_000);
  });

  test("retains a file that was requested or had problems, with an empty list", async () => {
    const requested = await write("asked.json", "{}");
    await write("mended.json", "{");
    await counts(requested);
    await counts(pathOf("never-there.json"));
    const first = { "asked.json": 0, "mended.json": 1 };
    await vi.waitFor(async () => expect(await counts()).toEqual(first), 60_000);
    await write("mended.json", "{}");
    expect(await counts()).toEqual({ "asked.json": 0, "mended.json": 0 });
  });

  test("checks a file that was requested before its creation", async () => {
    await counts(pathOf("new.json"));
    await write("new.json", "{");
    expect(await counts()).toEqual({ "new.json": 1 });
  });

  test("finds files created later", async () => {
    expect(await counts()).toEqual({});
    await mkdir(pathOf("later"));
    await write("later/bad.json", "{");
    await vi.waitFor(async () => expect(await counts()).toEqual({ "later/bad.json": 1 }), 60_000);
  });

  test("takes at most 2 s for 5,000 files, and eventually checks 2,000", async () => {
    for (let start = 0; start < 5_000; start += 500) {
      const names = Array.from({ length: 500 }, (_, at) => `f${start + at}.json`);
      await Promise.all(names.map((name) => write(name, "{")));
    }
    const before = performance.now();
    await counts();
    // The limit is 2 s; a busy machine may take ten times that.
    expect(performance.now() - before).toBeLessThan(20_000);
    const all = async () => expect(Object.keys(await counts())).toHaveLength(2_000);
    await vi.waitFor(all, { timeout: 60_000, interval: 200 });
  });
});

describe("diagnostics from other sources", () => {
  test("are listed beside the folder's own until they are replaced", async () => {
    const path = await write("a.json", "{");
    const outside = "/elsewhere/b.ts" as PosixPath;
    at.host.setDiagnostics([
      { path, diagnostics: [TROUBLE] },
      { path: outside, diagnostics: [TROUBLE] },
    ]);
    expect(await counts(path)).toEqual({ "a.json": 2 });
    expect(await counts()).toEqual({ "a.json": 2, "/elsewhere/b.ts": 1 });
    at.host.setDiagnostics([]);
    expect(await counts()).toEqual({ "a.json": 1, "/elsewhere/b.ts": 0 });
  });

  test("are merged if two items have one file", async () => {
    const path = await write("a.ts", "");
    at.host.setDiagnostics([
      { path, diagnostics: [TROUBLE] },
      { path, diagnostics: [TROUBLE] },
    ]);
    expect(await counts(path)).toEqual({ "a.ts": 2 });
  });
});
