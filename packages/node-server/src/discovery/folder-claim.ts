import { createHash } from "node:crypto";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseJson } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { takeFileLock } from "../files/file-lock.ts";
import {
  isOfLastDay,
  makePrivateDirectory,
  readPrivateFile,
  sweepDrafts,
  writePrivateFile,
} from "../files/private-file.ts";
import { isRecordedToken } from "../loopback-server/token.ts";
import {
  isRunning,
  type KnownPlace,
  ownIdentity,
  type ProcessIdentity,
  placeAnswers,
} from "../process/liveness.ts";

/** The endpoint of an editor for the agents of a dialect, and its token. */
export interface ResumeEndpoint {
  /** Where it listens: a port, or a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  /** Used at this place only: agents that reconnect send it to any program that listens there later. */
  readonly token: string;
  /** When an agent without a session has last asked, in milliseconds since 1970. */
  readonly askedMs?: number;
}

/** A pending diff; its text is not recorded. */
export interface WaitingDiff {
  readonly path: string;
  /** The name of the agent that proposed it. */
  readonly agent: string;
  /** In milliseconds since 1970. */
  readonly openedMs: number;
}

/** The record of a run, for the next run on the same folder. */
export interface ResumeRecord extends Partial<ProcessIdentity> {
  readonly folder: string;
  /** By dialect. */
  readonly endpoints: Readonly<Record<string, ResumeEndpoint>>;
  /** The pending diffs, which remain in the record when a run is killed. */
  readonly diffs?: readonly WaitingDiff[];
  /** The process ids of the connected agents. */
  readonly agents?: readonly ProcessIdentity[];
  /** The globs of the excluded files. */
  readonly exclude?: readonly string[];
}

/** The part of a record that changes during a run. */
export type RunState = Pick<ResumeRecord, "endpoints" | "diffs" | "agents" | "exclude">;

/** A claimed folder, which no other process serves. The caller releases it. */
export interface FolderClaim {
  /** The record of the last run, unless it is older than a day. */
  readonly previous: ResumeRecord | undefined;
  /** Records that this process serves the folder, and unblocks other processes that are starting. */
  record(state: RunState): Promise<void>;
  /** Prevents the record from expiring during the run. */
  refresh(): Promise<void>;
  /** Releases the claim; the next run may reuse the port. */
  release(): Promise<void>;
}

const START_TIMEOUT_MS = 5_000;

/**
 * Claims a folder for this process. Only one process may serve it: Claude Code connects automatically only if
 * exactly one editor matches (docs/clients/claude-code.md, Discovery).
 * @param folder a real path
 * @throws IdewireError `folder-in-use` with pid and port; `file-system` when the state directory is unusable
 */
export async function claimFolder(directory: string, folder: string): Promise<FolderClaim> {
  const file = recordFile(directory, folder);
  await makePrivateDirectory(directory);
  await sweepDrafts(directory);
  const endStart = await takeGuard(`${file}.starting`, folder);
  try {
    const previous = await readRecord(file, folder);
    await refuseIfServed(folder, previous);
    return createClaim({ file, folder, previous, endStart });
  } catch (error) {
    await endStart();
    throw error;
  }
}

/** The record of the process that serves a folder; undefined if none serves it. */
export async function readServed(
  directory: string,
  folder: string,
): Promise<ResumeRecord | undefined> {
  const record = await readRecord(recordFile(directory, folder), folder);
  return record !== undefined && isRunning(record) ? record : undefined;
}

/** A record, and its file. */
export interface RecordFile {
  readonly file: string;
  readonly record: ResumeRecord;
}

/** All records, including those of ended runs. */
export async function readRecords(directory: string): Promise<readonly RecordFile[]> {
  const names = await readdir(directory).catch(() => []);
  const read = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map(async (name) => {
        const file = join(directory, name);
        const record = parseRecord(await readPrivateFile(file).catch(() => ""));
        return record === undefined ? [] : [{ file, record }];
      }),
  );
  return read.flat();
}

function parseRecord(text: string): ResumeRecord | undefined {
  try {
    const value: unknown = parseJson(text);
    return isResumeRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function recordFile(directory: string, folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(directory, `${name}.json`);
}

interface Start {
  readonly file: string;
  readonly folder: string;
  readonly previous: ResumeRecord | undefined;
  /** Unblocks other processes that are starting. */
  readonly endStart: () => Promise<void>;
}

function createClaim({ file, folder, previous, endStart }: Start): FolderClaim {
  let current: ResumeRecord | undefined;
  return {
    previous,
    async record(state) {
      current = { folder, ...ownIdentity(), ...state };
      try {
        await writePrivateFile(file, JSON.stringify(current));
      } finally {
        await endStart();
      }
    },
    async refresh() {
      const now = new Date();
      if (current !== undefined) await utimes(file, now, now);
    },
    async release() {
      await endStart();
      if (current === undefined) return;
      const { endpoints, agents } = current;
      current = undefined;
      await writePrivateFile(file, JSON.stringify({ folder, endpoints, agents }));
    },
  };
}

async function refuseIfServed(folder: string, record: ResumeRecord | undefined): Promise<void> {
  if (record === undefined || !isRunning(record)) return;
  for (const { port, socketPath = "" } of Object.values(record.endpoints)) {
    const place: KnownPlace = port === undefined ? { socketPath } : { port };
    if (!(await placeAnswers(place))) continue;
    const where = port === undefined ? `at ${socketPath}` : `on port ${port}`;
    throw new IdewireError(
      "folder-in-use",
      `${folder} is served already, by process ${record.pid} ${where}; stop that one first`,
      { path: folder },
    );
  }
}

async function readRecord(file: string, folder: string): Promise<ResumeRecord | undefined> {
  const isRecent = await isOfLastDay(file);
  // Without one, or with a damaged one, the run starts anew.
  const record = parseRecord(await readPrivateFile(file).catch(() => ""));
  return isRecent && record?.folder === folder ? record : undefined;
}

/** Whether a value has the format written by {@link FolderClaim.record}. */
function isResumeRecord(value: unknown): value is ResumeRecord {
  return (
    isObject(value) &&
    typeof value["folder"] === "string" &&
    ["number", "undefined"].includes(typeof value["pid"]) &&
    ["string", "undefined"].includes(typeof value["started"]) &&
    isObject(value["endpoints"]) &&
    Object.values(value["endpoints"]).every(isEndpoint) &&
    (value["diffs"] === undefined || isListOf(value["diffs"], isWaitingDiff)) &&
    (value["agents"] === undefined || isListOf(value["agents"], isIdentity)) &&
    (value["exclude"] === undefined ||
      isListOf(value["exclude"], (glob) => typeof glob === "string"))
  );
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isObject(value) &&
    typeof value["pid"] === "number" &&
    ["string", "undefined"].includes(typeof value["started"])
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isWaitingDiff(value: unknown): value is WaitingDiff {
  return (
    isObject(value) &&
    typeof value["path"] === "string" &&
    typeof value["agent"] === "string" &&
    typeof value["openedMs"] === "number"
  );
}

function isEndpoint(value: unknown): value is ResumeEndpoint {
  if (!isObject(value) || !isRecordedToken(value["token"])) return false;
  const { port, socketPath, askedMs } = value;
  if (askedMs !== undefined && typeof askedMs !== "number") return false;
  return port === undefined ? typeof socketPath === "string" : isPort(port);
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536;
}

/** Only one process at a time may read the record and write its own. */
async function takeGuard(guard: string, folder: string): Promise<() => Promise<void>> {
  const describe = (holder: string) =>
    `${holder} is starting on ${folder}; if that is not idewire, remove ${guard}`;
  try {
    return await takeFileLock(guard, { timeoutMs: START_TIMEOUT_MS, describe });
  } catch (error) {
    if (!(error instanceof IdewireError) || error.code !== "timeout") throw error;
    throw new IdewireError("folder-in-use", error.message, { path: folder });
  }
}
