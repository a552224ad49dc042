import type { MentionDelivery } from "@idewire/core/internal";
import { CloseCode } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { type CommandTarget, carryMention } from "../../drive/carry-out.ts";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import type { ScriptCommand } from "./commands.ts";
import type { DiffPolicy } from "./diff-policy.ts";
import { readUriOrPath } from "./native-path.ts";

/** The target of the commands. */
export interface ScriptContext {
  readonly target: CommandTarget;
  readonly listener: IdeListener;
  readonly policy: DiffPolicy;
}

/** A folder as the target of a script. */
export function scriptTarget(host: FolderHost, agents: IdeListener): CommandTarget {
  const locate = (path: string) => readUriOrPath(host.folder, path);
  return { editor: host, agents, by: "script", locate };
}

/**
 * Runs a command; `stop` is left to the caller.
 * @throws Error, or ToolFailure from the host, with a message for the reader
 */
export async function runCommand(
  command: ScriptCommand,
  context: ScriptContext,
): Promise<MentionDelivery | undefined> {
  const { target, listener, policy } = context;
  switch (command.do) {
    case "diff":
      policy.set(command);
      return undefined;
    case "drop":
      await drop(listener);
      return undefined;
    case "stop":
      return undefined;
    default:
      return carryMention(command, target);
  }
}

/** As a closing editor does: the agents reconnect. */
async function drop({ sessions }: IdeListener): Promise<void> {
  const gone = [...sessions].map((session) => session.closed);
  for (const session of sessions) session.close(CloseCode.GoingAway, "dropped");
  await Promise.all(gone);
}
