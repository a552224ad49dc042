import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { root } from "./packages.ts";

const self = basename(import.meta.filename);
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("a pnpm without the hash of the manifest does not run", async () => {
  expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  const folder = temporaryFolder("idewire-pnpm-");
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
  const other = packageManager.replace(/[0-9a-f]$/, (digit: string) => (digit === "0" ? "1" : "0"));
  const manifest = { packageManager: other, engines: { node: ">=20.19" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const script = join(folder, "scripts/run.mjs");
  const running = promisify(execFile)(process.execPath, [script, "pnpm", "--version"]);
  await expect(running).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not match its hash"),
  });
});

test("every workflow, script and recipe calls pnpm by its hash", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const others = tracked.split("\0").filter((path) => path !== "" && !path.endsWith(self));
  const unpinned =
    /\b(npx|npm (x|exec)|corepack|dlx|bunx)\b.*\bpnpm\b|\b(npm|yarn|bun|brew|apk|volta)\b.* (i|install|add)\b.*\spnpm\b|get\.pnpm\.io|pnpm\/action-setup/;
  expect(
    others.filter((path) => existsSync(join(root, path)) && unpinned.test(read(path))),
  ).toEqual([]);
});

test("each package of the lockfile comes from the registry, with its hash, and CI compares them", () => {
  const lines = read("pnpm-lock.yaml").split("\n");
  const resolutions = lines.filter((line) => line.trim().startsWith("resolution:"));
  expect(resolutions.length).toBeGreaterThan(1_000);
  expect(
    resolutions.filter((line) => !/^ +resolution: \{integrity: sha512-[\w+/=]+\}$/.test(line)),
  ).toEqual([]);
  expect(read(".github/workflows/ci.yml")).toContain("npm run verify-lockfile");
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
