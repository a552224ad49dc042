import {
  type EditorCommand,
  type EditorHost,
  type PosixPath,
  type RemoteHost,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import type {
  CommandableEditor,
  EditorCommandOf,
  EditorCommandResult,
  EditorVerb,
} from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import { type CommandedEditors, notSharedReason, platform } from "@idewire/node-server/internal";
import type { FolderHost } from "../folder-host/folder-host.ts";
import { listProblems } from "../folder-host/linter/problem-lists.ts";
import { readNativePath } from "../serve/script/native-path.ts";
import { type CommandTarget, carryOut } from "./carry-out.ts";
import type { ReviewedFolder } from "./review-server.ts";

/** An editor that accepts commands from key bindings. */
export interface ControlTarget extends CommandTarget {
  readonly host: EditorHost;
  /** The diffs that other terminals may review; undefined in an editor that shows them itself. */
  readonly reviews?: ReviewedFolder;
}

type SetDiagnostics = EditorCommandOf<"setDiagnostics">;

/** A served folder. */
export function controlFolder(
  reviews: ReviewedFolder,
  agents: () => CommandTarget["agents"],
): ControlTarget {
  const { host } = reviews;
  return {
    host,
    reviews,
    editor: host,
    get agents() {
      return agents();
    },
    by: "script",
    locate: (native) => readNativePath(host.folder, native),
    ownDiagnostics: (command) => diagnosticsOfFolder(host, command),
  };
}

/** A remote editor: it owns its state, and runs the commands that it has announced. */
export function controlEditor(
  host: RemoteHost,
  agents: () => CommandTarget["agents"],
): ControlTarget {
  return {
    host,
    get agents() {
      return agents();
    },
    by: "script",
    locate(native) {
      const path = toPosixPath(native, platform);
      if (path.ok) return path.value;
      throw new Error(path.issue);
    },
    editor: announcedCommands(host, (mention) => host.mention(mention)),
  };
}

/** The target while another process's editor on the folder is active: that one opens and selects. */
export function withActive(own: ControlTarget, editors: CommandedEditors): ControlTarget {
  const { elsewhere } = editors;
  if (elsewhere === undefined) return own;
  const { editor, agents } = own;
  return {
    ...{ ...own, agents, host: elsewhere },
    editor: {
      ...announcedCommands(elsewhere, (mention) => editors.mention(mention)),
      // These commands concern this process's own display.
      ...(editor.setDiagnostics && { setDiagnostics: editor.setDiagnostics.bind(editor) }),
      ...(editor.answerDiff && { answerDiff: editor.answerDiff.bind(editor) }),
    },
  };
}

/** The commands of an editor that reveals and selects on request. */
function announcedCommands(
  host: EditorHost,
  mention: NonNullable<CommandableEditor["mention"]>,
): CommandableEditor {
  const reveal = host.reveal?.bind(host);
  const select = host.select?.bind(host);
  return {
    name: host.name,
    mention,
    ...(reveal !== undefined && { open: (path: PosixPath) => reveal(path, {}) }),
    ...(select !== undefined && { select }),
  };
}

/**
 * Runs a command of a key binding. Reports to the person if no agent receives the selection.
 * @throws Error, or ToolFailure from the host, with a message for the person
 */
export async function runControl(
  command: EditorCommand<string>,
  target: ControlTarget,
): Promise<EditorCommandResult<EditorVerb>> {
  // A diff is answered in the terminal of its review.
  const place = command.do === "answerDiff" ? { ...target, by: "terminal" as const } : target;
  const result = await carryOut(command, place);
  if (command.do !== "select" || target.agents === undefined) return result;
  const reason = notSharedReason(target.locate(command.path), target.agents);
  if (reason !== undefined) throw new ToolFailure(reason);
  return result;
}

/** @throws Error if there are problems, all of them outside the folder */
async function diagnosticsOfFolder(
  { folder }: FolderHost,
  { files, ...command }: SetDiagnostics,
): Promise<SetDiagnostics> {
  const problems = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ path, diagnostic })),
  );
  const lists = [...(await listProblems(problems, folder)).values()];
  const [first] = files;
  if (first === undefined || lists.length > 0) {
    return { ...command, files: lists.map(({ path, list }) => ({ path, diagnostics: list })) };
  }
  const [native, example] = [folder, first.path].map((path) => toNativePath(path, platform));
  throw new Error(
    `none of the problems is in ${native}; ${example} is outside: set the base of the paths with --cwd; nothing was changed`,
  );
}
