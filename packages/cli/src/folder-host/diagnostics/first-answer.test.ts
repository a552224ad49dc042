import { cp, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeFolder } from "../../../../../tests/src/remove-folder.ts";
import { type DiagnosticSource, type FolderHost, openFolderHost } from "../index.ts";

const VAULT = fileURLToPath(new URL("../../../../../examples/vault", import.meta.url));

let folder: string;
let host: FolderHost | undefined;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-first-")));
});

afterEach(async () => {
  await host?.close();
  await removeFolder(folder);
});

/** A source whose checks each take as long as `wait`. */
function slowSource(wait: () => Promise<unknown>) {
  const check = vi.fn(async () => {
    await wait();
    const start = { line: 0, character: 0 };
    return [{ range: { start, end: start }, severity: "error", message: "slow" } as const];
  });
  return { name: "slow", accepts: (path) => path.endsWith(".x"), check } satisfies DiagnosticSource;
}

test("the first answer lists all problems of a small folder", async () => {
  await cp(VAULT, folder, { recursive: true });
  const firstAnswer = async () => {
    const fresh = await openFolderHost(folder);
    const files = (await fresh.diagnostics?.()) ?? [];
    await fresh.close();
    return files.flatMap(({ path, diagnostics }) =>
      diagnostics.map(({ code }) => `${path.slice(folder.length + 1)} ${code}`),
    );
  };
  // An answer waits no longer than agents do, which may be too short on a busy machine: try again then.
  await expect
    .poll(async () => (await firstAnswer()).sort())
    .toEqual([
      "README.md missing-file",
      "README.md missing-heading",
      "data/broken.json CommaExpected",
      "data/broken.yaml DUPLICATE_KEY",
    ]);
});

test("the folder is scanned as soon as it is open, in the background", async () => {
  await writeFile(join(folder, "a.x"), "");
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = slowSource(() => finished);
  host = await openFolderHost(folder, { diagnosticSources: [slow] });
  await vi.waitFor(() => expect(slow.check).toHaveBeenCalledOnce(), 60_000);
  finish();
  expect(await host.diagnostics?.()).toMatchObject([{ diagnostics: [{ message: "slow" }] }]);
});

test("an answer does not wait for a scan that takes too long", async () => {
  await writeFile(join(folder, "a.x"), "");
  const never = new Promise(() => {});
  host = await openFolderHost(folder, { diagnosticSources: [slowSource(() => never)] });
  expect(await host.diagnostics?.()).toEqual([]);
});

test("a closed host reads no more files", async () => {
  for (let at = 0; at < 100; at++) await writeFile(join(folder, `${at}.x`), "");
  const slow = slowSource(() => delay(50));
  host = await openFolderHost(folder, { diagnosticSources: [slow] });
  await vi.waitFor(() => expect(slow.check).toHaveBeenCalled(), 60_000);
  await host.close();
  const checked = slow.check.mock.calls.length;
  // An open host would begin the next check at the end of this one.
  await Promise.all(slow.check.mock.results.map(({ value }) => value));
  await delay(50);
  // Eight files may have been in progress when the host was closed.
  expect(slow.check.mock.calls.length).toBeLessThanOrEqual(checked + 8);
});
