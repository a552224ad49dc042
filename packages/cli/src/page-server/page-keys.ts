import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { isObject, parseJson } from "@idewire/core/internal";
import {
  type Environment,
  lockBeside,
  makePrivateDirectory,
  readPrivateFile,
  stateDirectory,
  writePrivateFile,
} from "@idewire/node-server/internal/files";
import { mergeKeys, type PageKeys, TicketStore } from "./ticket-store.ts";

/**
 * The tickets of a folder, with the keys of its pages from earlier processes: a page reconnects by itself after a
 * restart on the same port. Only hashes are written, to a file that only its user may read.
 */
export async function openTickets(folder: string, env: Environment): Promise<TicketStore> {
  const file = fileOf(folder, env);
  const tickets = new TicketStore(Date.now, await readKeys(file, folder));
  let work = Promise.resolve();
  tickets.onkeys = (keys) => {
    // Without a state directory the pages need a new link after a restart.
    work = work.then(() => addKeys(file, folder, keys)).catch(() => undefined);
  };
  return tickets;
}

/** Several processes may have pages of one folder: none removes the keys of another. */
async function addKeys(file: string, folder: string, keys: PageKeys): Promise<void> {
  await makePrivateDirectory(dirname(file));
  const release = await lockBeside(file);
  try {
    const all = mergeKeys(await readKeys(file, folder), keys);
    await writePrivateFile(file, JSON.stringify({ folder, keys: all }));
  } finally {
    await release();
  }
}

/** A file that is missing or damaged, or that others may read or write, has no keys. */
async function readKeys(file: string, folder: string): Promise<PageKeys> {
  try {
    const value: unknown = parseJson(await readPrivateFile(file));
    if (!isObject(value) || value["folder"] !== folder) return [];
    const { keys } = value;
    return Array.isArray(keys) ? keys.filter(isKey) : [];
  } catch {
    return [];
  }
}

function isKey(value: unknown): value is PageKeys[number] {
  if (!Array.isArray(value)) return false;
  const [hash, usedMs] = value as readonly unknown[];
  return typeof hash === "string" && typeof usedMs === "number";
}

function fileOf(folder: string, env: Environment): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(stateDirectory(env), "pages", `${name}.json`);
}
