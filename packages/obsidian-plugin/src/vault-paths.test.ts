import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { ToolFailure } from "@idewire/core/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../../tests/src/remove-folder.ts";
import { createVaultPaths } from "./vault-paths.ts";

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "idewire-paths-")));
  mkdirSync(join(base, "Vault/Sub"), { recursive: true });
  writeFileSync(join(base, "Vault/Sub/a.md"), "");
  writeFileSync(join(base, "outside.md"), "");
  symlinkSync(join(base, "Vault"), join(base, "Link"));
  symlinkSync(join(base, "outside.md"), join(base, "Vault/out.md"));
  symlinkSync(join(base, "Vault/Sub"), join(base, "Vault/in"));
});

afterEach(() => removeFolder(base));

const at = (path: string) => join(base, path) as PosixPath;

test("a vault opened through a link has its real path as root, and both paths are accepted", async () => {
  const paths = await createVaultPaths(join(base, "Link"));
  expect([paths.root, paths.openedAs]).toEqual([at("Vault"), at("Link")]);
  expect([at("Vault/Sub/a.md"), at("Link/Sub/a.md")].map((path) => paths.toVault(path))).toEqual([
    "Sub/a.md",
    "Sub/a.md",
  ]);
  expect([paths.toVault(at("Vault")), paths.toVault(at("Vault2/a.md"))]).toEqual(["", undefined]);
  expect([paths.toAbsolute("Sub/ü.md"), paths.toAbsolute("")]).toEqual([
    at("Vault/Sub/ü.md"),
    at("Vault"),
  ]);
});

test("paths in the vault are in composed Unicode, as in Obsidian", async () => {
  const paths = await createVaultPaths(join(base, "Vault"));
  expect(paths.toVault(at("Vault/Übung.md".normalize("NFD")))).toBe("Übung.md".normalize("NFC"));
});

test("a link out of the vault is refused; one within it and a missing file are fine", async () => {
  const paths = await createVaultPaths(join(base, "Vault"));
  for (const path of ["Vault/out.md", "outside.md", "Vault2/a.md"]) {
    await expect(paths.demandInside(at(path)), path).rejects.toThrow(ToolFailure);
  }
  expect(await paths.demandInside(at("Vault/in/a.md"))).toBe("in/a.md");
  expect(await paths.demandInside(at("Vault/new.md"))).toBe("new.md");
});

test("a file that is swapped for a link while it is read is never read through the link", async () => {
  const paths = await createVaultPaths(join(base, "Link"));
  writeFileSync(join(base, "outside.md"), "foreign");
  writeFileSync(join(base, "Vault/Sub/a.md"), "mine");
  expect(await paths.read(at("Link/in/a.md"))).toMatchObject({ kind: "text", text: "mine" });
  expect(await paths.read(at("Vault/no.md"))).toEqual({ kind: "missing" });
  const foreign = await paths.read(at("Vault/out.md")).catch((error: unknown) => error);
  expect(foreign).toBeInstanceOf(ToolFailure);
  // While another program swaps the file and the link, no read follows the link.
  for (let turn = 0; turn < 200; turn++) {
    const reading = paths.read(at("Vault/Sub/a.md")).catch(() => undefined);
    symlinkSync(join(base, "outside.md"), join(base, "draft"));
    renameSync(join(base, "draft"), join(base, "Vault/Sub/a.md"));
    const late = paths.read(at("Vault/Sub/a.md")).catch(() => undefined);
    writeFileSync(join(base, "draft"), "mine");
    renameSync(join(base, "draft"), join(base, "Vault/Sub/a.md"));
    expect(JSON.stringify(await Promise.all([reading, late]))).not.toContain("foreign");
  }
});
