import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TAbstractFile } from "obsidian";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../../tests/src/remove-folder.ts";
import { VaultLinks } from "./vault-links.ts";
import { createVaultPaths } from "./vault-paths.ts";

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "idewire-links-")));
  for (const folder of ["V/Private/Deep", "V/Sub", "out"]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  for (const file of ["V/Private/a.md", "V/own.md", "out/x.md"])
    writeFileSync(join(base, file), "");
  symlinkSync(join(base, "V/Private/a.md"), join(base, "V/Sub/alias.md"));
  symlinkSync(join(base, "V/Private"), join(base, "V/Open"));
  symlinkSync(join(base, "out"), join(base, "V/Far"));
  symlinkSync(join(base, "nothing"), join(base, "V/broken.md"));
  onTestFinished(() => removeFolder(base));
});

async function fixture() {
  const events = new Map<string, (file: TAbstractFile) => void>();
  let changes = 0;
  const links = new VaultLinks({
    vault: {
      getAllFolders: () => ["/", "Private", "Sub", "gone"].map((path) => ({ path })) as never,
      on: ((name: string, listen: (file: TAbstractFile) => void) => {
        events.set(name, listen);
      }) as never,
    },
    paths: await createVaultPaths(join(base, "V")),
    onChange: () => {
      changes += 1;
    },
  });
  links.watch({ registerEvent: () => undefined });
  const emit = async (name: string, path: string) => {
    const before = changes;
    events.get(name)?.({ path } as TAbstractFile);
    if (name !== "delete") await expect.poll(() => changes).toBe(before + 1);
  };
  const real = (path: string) => links.realPathOf(path)?.slice(base.length + 1);
  return { links, emit, real };
}

test("a path behind a link has another real path, any other path has none", async () => {
  const { links, real } = await fixture();
  await links.known();
  expect(real("Sub/alias.md")).toBe("V/Private/a.md");
  expect(real("Open/Deep/b.md")).toBe("V/Private/Deep/b.md");
  expect(real("Far/x.md")).toBe("out/x.md");
  for (const path of ["own.md", "Private/a.md", "Opener/a.md", "broken.md", "", "Sub"]) {
    expect(real(path), path).toBeUndefined();
  }
});

test("created, changed and deleted links are followed", async () => {
  const { links, emit, real } = await fixture();
  await links.known();
  const fresh = join(base, "V/fresh.md");
  symlinkSync(join(base, "V/Private/a.md"), fresh);
  await emit("create", "fresh.md");
  expect(real("fresh.md")).toBe("V/Private/a.md");
  rmSync(fresh);
  symlinkSync(join(base, "V/own.md"), fresh);
  await emit("modify", "fresh.md");
  expect(real("fresh.md")).toBe("V/own.md");
  rmSync(fresh);
  await emit("delete", "fresh.md");
  expect(real("fresh.md")).toBeUndefined();
  writeFileSync(fresh, "");
  await emit("create", "fresh.md");
  expect(real("fresh.md")).toBeUndefined();
});
