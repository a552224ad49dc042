import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { allDialects, isInside, type PosixPath, toPosixPath } from "@idewire/core";
import { claudeDiscovery, shellQuote } from "@idewire/core/internal";
import {
  assessDirectory,
  isRunning,
  platform,
  portAnswers,
  type RecordFile,
  type ResumeRecord,
  readRecords,
} from "@idewire/node-server/internal";
import { discoveryDirectory, stateDirectory } from "@idewire/node-server/internal/files";
import {
  type DoctorContext,
  failed,
  ok,
  type StepDefinition,
  type StepFinding,
  type,
  warning,
} from "./step.ts";

/** The working directory exists. */
export const folderStep: StepDefinition = {
  id: "folder",
  title: "working directory",
  async run({ cwd, search }) {
    const facts = await stat(cwd).catch(() => undefined);
    if (facts?.isDirectory() !== true) {
      return failed(`${cwd} is not a directory`, "Name the folder that the agent runs in: --cwd.");
    }
    return ok(cwd === search.cwd ? cwd : `${cwd}, whose real path is ${search.cwd}`);
  },
};

/** An editor can put its lock file where agents look. */
export const directoryStep: StepDefinition = {
  id: "directory",
  title: "lock directory",
  async run({ env }) {
    const directory = discoveryDirectory(claudeDiscovery.folder, env);
    const nearest = await nearestExisting(directory);
    const facts = await stat(nearest);
    const mode = facts.mode & 0o777;
    if (!facts.isDirectory()) {
      return failed(`${nearest} is a file`, `Move it away: agents look in ${directory}.`);
    }
    if (!(await isWritable(nearest, mode))) {
      return failed(
        `${nearest} is read-only (mode ${mode.toString(8)}): no editor can write a lock file there`,
        type("Let its owner write", `chmod 700 ${shellQuote(nearest)}`),
        "Or choose another with CLAUDE_CONFIG_DIR, for both the editor and the agent.",
      );
    }
    if (nearest !== directory) return ok(`${directory} does not exist yet; an editor creates it`);
    return assessMode(directory, mode);
  },
};

function assessMode(directory: string, mode: number): StepFinding {
  const open = assessDirectory(directory, platform === "windows" ? undefined : mode);
  if (open === undefined) return ok(directory);
  return warning(
    `${directory} is open to other users (mode ${mode.toString(8)})`,
    type("Keep others out", open.command),
  );
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** The mode matters even for root, which can write everywhere: the editor may run as another user. */
async function isWritable(directory: string, mode: number): Promise<boolean> {
  if (platform === "posix" && (mode & 0o200) === 0) return false;
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Remnants of an earlier run do not prevent the next one from starting. */
export const resumeStep: StepDefinition = {
  id: "resume",
  title: "earlier runs",
  async run(context) {
    const records = await recordsFor(context);
    for (const { file, record } of records) {
      const finding = await assessRecord(file, record, context);
      if (finding !== undefined) return finding;
    }
    return ok(records.length === 0 ? "none is recorded" : "they left no conflicts");
  },
};

async function recordsFor({ env, search }: DoctorContext): Promise<readonly RecordFile[]> {
  const cwd = toPosixPath(search.cwd, platform);
  const records = await readRecords(stateDirectory(env));
  return records.filter(({ record }) => cwd.ok && holds(record, cwd.value));
}

function holds({ folder }: ResumeRecord, cwd: PosixPath): boolean {
  const path = toPosixPath(folder, platform);
  return path.ok && isInside(path.value, cwd, platform);
}

/** A record of a run whose lock file is published is correct. */
async function assessRecord(
  file: string,
  record: ResumeRecord,
  { search, others }: DoctorContext,
): Promise<StepFinding | undefined> {
  const { folder, pid, endpoints } = record;
  const files = [...search.files, ...others.flatMap((family) => family.files)];
  for (const [dialect, { port }] of Object.entries(endpoints)) {
    if (port === undefined) continue;
    const isPublished = files.some((lock) => lock.port === port && lock.lock?.pid === pid);
    if (isPublished || !(await portAnswers(port))) continue;
    const agent = allDialects.find(({ id }) => id === dialect)?.agent;
    if (agent !== undefined && isRunning(record)) {
      const why = `${agent.title} does not find the editor of ${folder} on port ${port} from here`;
      return warning(why, "Start both with the same HOME and TMPDIR.");
    }
    if (!isRunning(record)) {
      return warning(
        `port ${port}, on which ${folder} was served, now belongs to another program`,
        "Running agents look only there: type /ide in them, or start them again.",
      );
    }
    return failed(
      `${file} says that process ${pid} serves ${folder} on port ${port}, but there is no lock file`,
      `If process ${pid} is not idewire, remove that file: it prevents idewire from starting.`,
      "If it is, it uses another CLAUDE_CONFIG_DIR: use the same for the agent.",
    );
  }
  return undefined;
}
