import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { IdeSession, ShareLevel } from "@idewire/core";
import { hasNoDiff } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { findEditors } from "@idewire/node-server";
import {
  asksInTerminal,
  assessPrivacy,
  type DoctorVerdict,
  type EditorSearch,
  examineEditor,
  type OpenToOthers,
  webSocketsOf,
} from "@idewire/node-server/internal";
import { texts } from "../texts/index.ts";
import { formatTime } from "../texts/time.ts";
import { agentName } from "./agent-name.ts";
import { otherAgents } from "./other-agents.ts";
import type { VaultConnection } from "./vault-connection.ts";

/** A finding of the doctor. */
export interface DoctorFinding {
  readonly kind: "good" | "hint" | "warning" | "problem";
  readonly text: string;
  /** The remedy or the next step. */
  readonly advice?: string;
}

/** The facts that the doctor examines. */
export interface DoctorFacts {
  readonly connection: Pick<
    VaultConnection,
    "state" | "endpoints" | "sessions" | "sinceMs" | "warnings"
  >;
  readonly level: ShareLevel;
  /** The editors that an agent in the vault would find. */
  readonly search: EditorSearch;
  /** The permissions of the folder of the lock file; undefined where there are none. */
  readonly folderMode: number | undefined;
  readonly isWindows: boolean;
  /** Whether Claude Code is set to ask about its changes in its terminal only. */
  readonly asksInTerminal: boolean;
  /** Places that agents other than Claude Code may not trust, with the names of these agents. */
  readonly openToOthers: readonly (OpenToOthers & { readonly agent: string })[];
  /** This process: while it starts, it has a lock file already and no endpoint yet. */
  readonly pid: number;
}

/** Collects the current facts; changes nothing. */
export async function gatherFacts(
  connection: DoctorFacts["connection"],
  level: ShareLevel,
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<DoctorFacts> {
  const isWindows = process.platform === "win32";
  const [endpoint] = webSocketsOf(connection.endpoints);
  const folder = endpoint && dirname(endpoint.lockFile);
  const mode =
    folder === undefined || isWindows
      ? undefined
      : await stat(folder).then(
          (facts) => facts.mode & 0o777,
          () => undefined,
        );
  return {
    connection,
    level,
    search: await findEditors(where),
    folderMode: mode,
    isWindows,
    asksInTerminal: await asksInTerminal(where.env),
    openToOthers: await findOpen(connection.endpoints),
    pid: process.pid,
  };
}

/** The discovery files of the other agents, with their folders, as far as other users can reach them. */
async function findOpen(
  endpoints: DoctorFacts["connection"]["endpoints"],
): Promise<DoctorFacts["openToOthers"]> {
  const found = await Promise.all(
    otherAgents.map(async ({ dialect, agent }) => {
      const { lockFile } = endpoints.find((endpoint) => endpoint.dialect === dialect.id) ?? {};
      if (lockFile === undefined) return [];
      const folder = await assessPrivacy(dirname(lockFile), "folder");
      const open = folder ?? (await assessPrivacy(lockFile, "file"));
      return open === undefined ? [] : [{ ...open, agent: agent.title }];
    }),
  );
  return found.flat();
}

/** The findings, most important first. */
export function examine(facts: DoctorFacts): readonly DoctorFinding[] {
  return [
    ...examineState(facts),
    ...examineLockFiles(facts),
    ...facts.openToOthers.map(({ agent, path, command }): DoctorFinding => {
      const advice = texts.doctor.directory.openAdvice(command);
      return { kind: "warning", text: texts.doctor.agents.open({ agent, path }), advice };
    }),
    ...examineAgents(facts),
    ...examineRest(facts),
  ];
}

function examineState({ connection }: DoctorFacts): readonly DoctorFinding[] {
  const { state, endpoints } = connection;
  switch (state.kind) {
    case "failed":
      return [explainFailure(state.error)];
    case "waiting":
      return [
        {
          kind: "hint",
          text: texts.connection.waiting(state.error.message),
          advice: texts.connection.waitingAdvice,
        },
      ];
    case "listening":
      return webSocketsOf(endpoints).map(({ port, lockFile }) => ({
        kind: "good",
        text: texts.connection.listening(port),
        advice: texts.connection.published(lockFile),
      }));
    default:
      return [{ kind: "hint", text: texts.connection[state.kind] }];
  }
}

/** Explains why the vault could not be published. */
function explainFailure(error: Error): DoctorFinding {
  const text = texts.connection.failed(error.message);
  switch (error instanceof IdewireError ? error.code : undefined) {
    case "file-system":
      return { kind: "problem", text, advice: texts.connection.fileAdvice };
    default:
      return { kind: "problem", text };
  }
}

/** Describes a verdict of `idewire doctor`. */
function examineLockFiles(facts: DoctorFacts): readonly DoctorFinding[] {
  const { connection, search, folderMode, pid } = facts;
  const endpoints = webSocketsOf(connection.endpoints);
  const verdicts = examineEditor({ pid, endpoints, search, directoryMode: folderMode });
  return verdicts.flatMap((verdict) => {
    const kind = kinds[verdict.outcome];
    return putIntoWords(verdict).map((words) => ({ kind, ...words }));
  });
}

const kinds = { ok: "hint", warning: "warning", failed: "problem" } as const;

function putIntoWords(verdict: DoctorVerdict): readonly Pick<DoctorFinding, "text" | "advice">[] {
  switch (verdict.code) {
    case "open": {
      const { directory, command } = verdict;
      const advice = texts.doctor.directory.openAdvice(command);
      return [{ text: texts.doctor.directory.open(directory), advice }];
    }
    case "missing": {
      const advice = texts.doctor.process.missingAdvice;
      return [{ text: texts.doctor.process.missing(verdict.lockFile), advice }];
    }
    case "passed-over":
      return [{ text: texts.doctor.process.passedOver(verdict.why) }];
    case "several":
      return verdict.rivals.map(({ name, port }) => ({
        text: texts.doctor.only.several({ name, port }),
        advice: texts.doctor.only.severalAdvice,
      }));
    case "leftovers": {
      const text = texts.doctor.files.leftovers(verdict.count);
      return [{ text, advice: texts.doctor.files.leftoversAdvice }];
    }
  }
}

function examineAgents(facts: DoctorFacts): readonly DoctorFinding[] {
  const { connection } = facts;
  const { sessions, state } = connection;
  if (state.kind !== "listening") return [];
  if (sessions.length === 0) {
    const advice = texts.connection.nobodyAdvice;
    return [{ kind: "hint", text: texts.connection.nobody, advice }];
  }
  const connected: readonly DoctorFinding[] = sessions.map((session) => ({
    kind: "good",
    text: describeAgent(session, connection.sinceMs(session)),
  }));
  return [...connected, ...examineReviews(facts)];
}

/** Reasons why no review may open although everything else works. */
function examineReviews(facts: DoctorFacts): readonly DoctorFinding[] {
  const agents = facts.connection.sessions.map(({ agent }) => agent);
  const without = agents.filter(hasNoDiff);
  const findings: DoctorFinding[] = without.map((agent) => ({
    kind: "hint",
    text: texts.connection.noDiff(agentName({ agent })),
  }));
  if (agents.some((agent) => agent?.name === "claude-code")) {
    const { terminal, terminalAdvice, mode, modeAdvice } = texts.doctor.reviews;
    const hint: DoctorFinding = facts.asksInTerminal
      ? { kind: "warning", text: terminal, advice: terminalAdvice }
      : { kind: "hint", text: mode, advice: modeAdvice };
    findings.push(hint);
  }
  return findings;
}

function describeAgent(session: IdeSession, sinceMs: number): string {
  const name = agentName(session);
  const time = formatTime(sinceMs);
  const { pid } = session;
  return pid === undefined
    ? texts.connection.agent({ name, time })
    : texts.connection.agentProcess({ name, pid, time });
}

function examineRest(facts: DoctorFacts): readonly DoctorFinding[] {
  const { connection, level, isWindows } = facts;
  const findings: DoctorFinding[] = connection.warnings.map(({ message }) => ({
    kind: "warning",
    text: texts.connection.warning(message),
  }));
  if (level === "off") findings.push({ kind: "hint", text: texts.connection.off });
  if (isWindows) findings.push({ kind: "hint", text: texts.connection.wsl });
  return findings;
}
