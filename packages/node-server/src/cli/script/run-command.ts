import {
  CloseCode,
  type Diagnostic,
  type DiagnosticSeverity,
  type FileDiagnostics,
  type Mention,
  ToolFailure,
} from "@idewire/core";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import type { IdeListener } from "../../listen-options.ts";
import { whyUnheard } from "../../untold.ts";
import type {
  ScriptCommand,
  ScriptCommands,
  ScriptDiagnostic,
  ScriptFileDiagnostics,
  ScriptSeverity,
} from "./commands.ts";
import type { DiffPolicy } from "./diff-policy.ts";
import { readNativePath, readUriOrPath } from "./native-path.ts";

/** What the commands act on. */
export interface ScriptStage {
  readonly host: FolderHost;
  readonly listener: IdeListener;
  readonly policy: DiffPolicy;
}

/**
 * Carries out one command.
 * @throws Error, or ToolFailure from the host, whose message says what was wrong
 */
export async function runCommand(command: ScriptCommand, stage: ScriptStage): Promise<void> {
  const { host, listener, policy } = stage;
  switch (command.do) {
    case "open":
      return host.open(readNativePath(host.folder, command.filePath));
    case "select":
      return select(host, command);
    case "clear":
      return host.clearSelection();
    case "mention":
      return mention(stage, command);
    case "diagnostics":
      return host.setDiagnostics(command.items.map((item) => toFileDiagnostics(host, item)));
    case "diff":
      return policy.set(command);
    case "drop":
      return drop(listener);
    case "stop":
      // Whoever reads the commands stops then.
      return;
  }
}

function select(
  host: FolderHost,
  { filePath, selection, text }: ScriptCommands["select"],
): Promise<void> {
  const { start, end } = selection;
  if (end.line < start.line || (end.line === start.line && end.character < start.character)) {
    const from = `${start.line}:${start.character}`;
    throw new ToolFailure(`selection: its end ${end.line}:${end.character} is before ${from}`);
  }
  return host.select(readNativePath(host.folder, filePath), selection, text);
}

async function mention(
  { host, listener }: ScriptStage,
  { filePath, lineStart, lineEnd = lineStart }: ScriptCommands["mention"],
): Promise<void> {
  const path = readNativePath(host.folder, filePath);
  if (lineStart === undefined) {
    if (lineEnd === undefined) return tell({ path });
    throw new ToolFailure(`lineStart: expected a number beside lineEnd ${lineEnd}, got nothing`);
  }
  const end = lineEnd ?? lineStart;
  if (end < lineStart) {
    throw new ToolFailure(`lineEnd: expected ${lineStart} (lineStart) or more, got ${end}`);
  }
  return tell({ path, lines: { start: lineStart, end } });

  async function tell(mention: Mention): Promise<void> {
    await host.mention(mention);
    const reason = whyUnheard(path, listener);
    if (reason !== undefined) throw new ToolFailure(reason);
  }
}

/** As an editor that goes away: the agents come back. */
async function drop({ sessions }: IdeListener): Promise<void> {
  const gone = [...sessions].map((session) => session.closed);
  for (const session of sessions) session.close(CloseCode.GoingAway, "dropped");
  await Promise.all(gone);
}

function toFileDiagnostics(host: FolderHost, item: ScriptFileDiagnostics): FileDiagnostics {
  const diagnostics = item.diagnostics.map(toDiagnostic);
  return { path: readUriOrPath(host.folder, item.uri), diagnostics };
}

function toDiagnostic({ severity, range, message, source, code }: ScriptDiagnostic): Diagnostic {
  return {
    message,
    range,
    severity: toSeverity(severity),
    ...(source !== undefined && { source }),
    ...(code !== undefined && { code }),
  };
}

function toSeverity(severity: ScriptSeverity): DiagnosticSeverity {
  const word = severity.toLowerCase();
  return (word === "info" ? "information" : word) as DiagnosticSeverity;
}
