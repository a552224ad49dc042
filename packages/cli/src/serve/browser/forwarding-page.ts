import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { onProcessExit } from "@idewire/node-server/internal";
import {
  type Environment,
  fileSystemError,
  stateDirectory,
} from "@idewire/node-server/internal/files";

/** As long as the link in it is valid. */
const LIFE_MS = 60_000;
const PREFIX = "page-";
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Writes a page that forwards to a link, in a folder that only this user may enter: its path, not the link, is
 * then passed as a program's argument, which every user of the machine can read. It is removed after a minute,
 * and when the process ends.
 * @returns its native path
 * @throws IdewireError `file-system`
 */
export function writeForwardingPage(link: string, env: Environment): string {
  const root = join(stateDirectory(env), "browser");
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    refuseForeign(root);
    sweep(root);
    const folder = mkdtempSync(join(root, PREFIX));
    removeInTime(folder);
    const file = join(folder, "open.html");
    writeFileSync(file, toHtml(link), { flag: "wx", mode: 0o600 });
    return file;
  } catch (error) {
    throw error instanceof IdewireError ? error : fileSystemError("write in", root, error);
  }
}

/** A user who can rename the folder could put a page of their own in its place. */
function refuseForeign(root: string): void {
  if (process.platform === "win32") return;
  const stats = lstatSync(root);
  const { uid, mode } = stats;
  const isOwn = uid === process.geteuid?.() && (mode & WRITABLE_BY_OTHERS) === 0;
  if (isOwn && stats.isDirectory()) return;
  const seen = `uid ${uid}, mode ${(mode & 0o7777).toString(8)}`;
  const wanted = "a folder of yours that nobody else can write to";
  throw new IdewireError("file-system", `Expected ${root} to be ${wanted}, got ${seen}`);
}

/** Removes pages left by killed processes; their links are no longer valid. */
function sweep(root: string): void {
  const limit = Date.now() - LIFE_MS;
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isOver = stats !== undefined && stats.mtimeMs < limit;
    if (isOver && name.startsWith(PREFIX)) rmSync(path, { recursive: true, force: true });
  }
}

function removeInTime(folder: string): void {
  const remove = (): void => {
    clearTimeout(timer);
    forget();
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The next start sweeps it.
    }
  };
  const timer = setTimeout(remove, LIFE_MS);
  timer.unref();
  const forget = onProcessExit(remove);
}

/** Without a script, since browser settings may block those. */
function toHtml(address: string): string {
  // Addresses of servers may have any parameters.
  const link = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>idewire</title>
<p><a href="${link}">Open idewire</a></p>
`;
}
