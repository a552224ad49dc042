import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type IdeSession, IdewireError, type ShareLevel, shellQuote } from "@idewire/core";
import { type EditorSearch, findEditors } from "@idewire/node-server";
import type { Texts } from "../texts/index.ts";
import { agentName } from "./agent-name.ts";
import type { VaultConnection } from "./vault-connection.ts";

/** Something that the doctor has found: good, worth knowing, or wrong. */
export interface Finding {
  readonly kind: "good" | "hint" | "warning" | "problem";
  readonly text: string;
  /** How to mend it, or what to do next. */
  readonly advice?: string;
}

/** What the doctor looks at. */
export interface DoctorFacts {
  readonly connection: Pick<
    VaultConnection,
    "state" | "endpoints" | "sessions" | "sinceMs" | "warnings"
  >;
  readonly level: ShareLevel;
  /** What an agent in the vault would find. */
  readonly search: EditorSearch;
  /** The permissions of the folder of the lock file; undefined where there are none. */
  readonly folderMode: number | undefined;
  readonly isWindows: boolean;
  /** This process: while it starts, it has a lock file already and no endpoint yet. */
  readonly pid: number;
}

/** Looks at everything afresh; it changes nothing. */
export async function gatherFacts(
  connection: DoctorFacts["connection"],
  level: ShareLevel,
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<DoctorFacts> {
  const isWindows = process.platform === "win32";
  const [endpoint] = connection.endpoints;
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
    pid: process.pid,
  };
}

/** Says what the facts mean, the important first. */
export function examine(facts: DoctorFacts, texts: Texts): readonly Finding[] {
  return [
    ...examineState(facts, texts),
    ...examineLockFiles(facts, texts),
    ...examineAgents(facts, texts),
    ...examineRest(facts, texts),
  ];
}

function examineState({ connection }: DoctorFacts, texts: Texts): readonly Finding[] {
  const { state, endpoints } = connection;
  switch (state.kind) {
    case "failed":
      return [explainFailure(state.error, texts)];
    case "listening":
      return endpoints.map(({ port, lockFile }) => ({
        kind: "good",
        text: texts("connection.listening", { port }),
        advice: texts("connection.published", { file: lockFile }),
      }));
    default:
      return [{ kind: "hint", text: texts(`connection.${state.kind}`) }];
  }
}

/** What went wrong when the vault was to be published, and what to do. */
function explainFailure(error: Error, texts: Texts): Finding {
  const text = texts("connection.failed", { reason: error.message });
  switch (error instanceof IdewireError ? error.code : undefined) {
    case "folder-in-use":
      return { kind: "problem", text, advice: texts("connection.inUseAdvice") };
    case "file-system":
      return { kind: "problem", text, advice: texts("connection.fileAdvice") };
    default:
      return { kind: "problem", text };
  }
}

function examineLockFiles(facts: DoctorFacts, texts: Texts): readonly Finding[] {
  const { connection, search, folderMode, pid } = facts;
  const own = new Map(connection.endpoints.map((endpoint) => [endpoint.port, endpoint]));
  const findings: Finding[] = [];
  for (const { port, lockFile } of own.values()) {
    const file = search.files.find((each) => each.port === port);
    if (file === undefined) {
      const text = texts("connection.lockGone", { file: lockFile });
      findings.push({ kind: "problem", text, advice: texts("connection.lockGoneAdvice") });
    }
    const reason = file?.stale ?? file?.elsewhere;
    if (reason !== undefined) {
      findings.push({ kind: "problem", text: texts("connection.lockStale", { why: reason.why }) });
    }
    if (folderMode !== undefined && (folderMode & 0o077) !== 0) {
      const folder = dirname(lockFile);
      const command = `chmod 700 ${shellQuote(folder)}`;
      const advice = texts("connection.openAdvice", { command });
      findings.push({ kind: "warning", text: texts("connection.open", { folder }), advice });
    }
  }
  for (const { name, port } of search.editors.filter(
    (editor) => !own.has(editor.port) && editor.pid !== pid,
  )) {
    const text = texts("connection.rival", { name, port });
    findings.push({ kind: "warning", text, advice: texts("connection.rivalAdvice") });
  }
  const leftovers = search.files.filter(({ stale }) => stale?.code === "dead-process").length;
  if (leftovers > 0) {
    const text = texts.count("connection.leftovers", leftovers);
    findings.push({ kind: "hint", text, advice: texts("connection.leftoversAdvice") });
  }
  return findings;
}

function examineAgents({ connection }: DoctorFacts, texts: Texts): readonly Finding[] {
  const { sessions, state } = connection;
  if (state.kind !== "listening") return [];
  if (sessions.length === 0) {
    const advice = texts("connection.nobodyAdvice");
    return [{ kind: "hint", text: texts("connection.nobody"), advice }];
  }
  return sessions.map((session) => ({
    kind: "good",
    text: describeAgent(session, connection.sinceMs(session), texts),
  }));
}

function describeAgent(session: IdeSession, sinceMs: number, texts: Texts): string {
  const name = agentName(session);
  const time = new Date(sinceMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const { pid } = session;
  return pid === undefined
    ? texts("connection.agent", { name, time })
    : texts("connection.agentProcess", { name, pid, time });
}

function examineRest(facts: DoctorFacts, texts: Texts): readonly Finding[] {
  const { connection, level, isWindows } = facts;
  const findings: Finding[] = connection.warnings.map(({ message }) => ({
    kind: "warning",
    text: texts("connection.warning", { reason: message }),
  }));
  if (level === "off") findings.push({ kind: "hint", text: texts("connection.off") });
  if (isWindows) findings.push({ kind: "hint", text: texts("connection.wsl") });
  return findings;
}
