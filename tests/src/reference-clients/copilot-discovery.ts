import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { join, sep } from "node:path";
import { isObject, type JsonObject, parseJson, sleep } from "./wire.ts";

/** What Copilot CLI reads about an editor. */
export interface CopilotLock {
  readonly file: string;
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ideName: string;
}

export interface CopilotPlace {
  readonly env: { readonly HOME: string; readonly COPILOT_HOME?: string };
  readonly cwd: string;
}

/** "`$COPILOT_HOME` or `~/.copilot` + `/ide/<uuid>.lock` (any `*.lock`)" (other-agents, 1). */
export function lockFolder({ env }: CopilotPlace): string {
  return join(env.COPILOT_HOME ?? join(env.HOME, ".copilot"), "ide");
}

/** The editors for a folder: "drops entries whose pid is dead or whose socket does not accept a connection" (5). */
export async function findLocks(place: CopilotPlace): Promise<readonly CopilotLock[]> {
  const folder = lockFolder(place);
  const names = list(folder).filter((name) => name.endsWith(".lock"));
  const read = await Promise.all(names.map((name) => readLock(join(folder, name))));
  // A renamed folder no longer exists at its path.
  const here = existsSync(place.cwd) ? realpathSync(place.cwd) : place.cwd;
  const locks = read.flatMap((lock) => lock ?? []);
  const known = await Promise.all(
    locks.map(async (lock) => {
      const isAround = lock.folders.some((one) => here === one || here.startsWith(one + sep));
      return isAround && isAlive(lock.pid) && (await accepts(lock.socketPath)) ? [lock] : [];
    }),
  );
  return known.flat();
}

/** "all but `isTrusted` required (zod, 3 tries 100 ms apart" (5). */
async function readLock(file: string, tries = 3) {
  const lock = parseLock(file, readText(file));
  if (lock !== undefined || tries === 1) return lock;
  await sleep(100);
  return readLock(file, tries - 1);
}

function parseLock(file: string, text: string) {
  const value = parseJson(text)?.value;
  if (!isObject(value)) return undefined;
  const { socketPath, scheme, headers, pid, ideName, timestamp, workspaceFolders } = value;
  const isWhole =
    [socketPath, scheme, ideName].every((one) => typeof one === "string") &&
    [pid, timestamp].every((one) => typeof one === "number") &&
    isObject(headers) &&
    areTexts(Object.values(headers)) &&
    Array.isArray(workspaceFolders) &&
    areTexts(workspaceFolders) &&
    ["boolean", "undefined"].includes(typeof value["isTrusted"]);
  if (!isWhole) return undefined;
  return {
    ...(value as unknown as CopilotLock & { readonly pid: number }),
    file,
    folders: workspaceFolders as readonly string[],
  };
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((one) => typeof one === "string");
}

/** "whose socket does not accept a connection (250 ms, up to 1 s …)" (5). */
function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (isAccepted: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isAccepted);
    };
    const timer = setTimeout(() => settle(false), 1_000);
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** "`selection{start,end,isEmpty}`" and the like: a wrong shape is ignored (5; read in its bundle). */
export function isSelection(params: JsonObject): boolean {
  const { text, filePath, fileUrl, selection } = params;
  const isKnown = [text, filePath, fileUrl].every((one) => typeof one === "string");
  if (!isKnown || !isObject(selection)) return false;
  const { start, end, isEmpty } = selection;
  return isPosition(start) && isPosition(end) && typeof isEmpty === "boolean";
}

/** As {@link isSelection}, for `add_file_reference` and `add_selection`. */
export function isReference({ filePath, fileUrl, selection, selectedText }: JsonObject): boolean {
  const isKnown = typeof filePath === "string" && typeof fileUrl === "string";
  const isRange =
    isObject(selection) && isPosition(selection["start"]) && isPosition(selection["end"]);
  const isText = selectedText === null || typeof selectedText === "string";
  return isKnown && isText && (selection === null || isRange);
}

function isPosition(value: unknown): boolean {
  return (
    isObject(value) && typeof value["line"] === "number" && typeof value["character"] === "number"
  );
}
