import { homedir } from "node:os";
import { toNativePath } from "@idewire/core";
import { askingModeWords, shellQuote } from "@idewire/core/internal";
import type { AgentStart, StartedAgent } from "@idewire/devtools/internal";
import type { IdeListener } from "@idewire/node-server";
import { platform } from "@idewire/node-server/internal";
import type { Palette } from "../../output/palette.ts";
import { line, type Printable, tilde } from "../../output/printable.ts";
import { describeStart } from "../../page-server/agent-start.ts";
import type { CliIo } from "../../process/io.ts";
import type { FrontendContext } from "../frontend.ts";
import { describeShare } from "./share-words.ts";

/**
 * Lists what is shared, and the agents that can connect, with the commands that enable them.
 * @param verbose lists also where each family of agents connects
 */
export function startupMessage(
  { host, listener, checkers, page }: FrontendContext,
  {
    io,
    palette,
    verbose,
  }: { readonly io: CliIo; readonly palette: Palette; readonly verbose: boolean },
): readonly Printable[] {
  const folder = toNativePath(host.folder, platform);
  const start = describeStart({ folder, endpoints: listener.endpoints, env: io.env });
  const isElsewhere = start.lockFile !== undefined;
  return [
    line`${palette.bold("idewire")} ${host.version} is the editor of ${palette.bold(folder)}`,
    ...(isElsewhere ? [line`for agents that see it as ${palette.bold(start.folder)}`] : []),
    line``,
    ...(isElsewhere || verbose ? endpointLines(listener, io) : []),
    ...(listener.joined ? joinedLines() : []),
    line`  shared      ${describeShare(listener.share.level)}`,
    line`              (never .git, .env files and private keys)`,
    ...checkers.map((command, at) => line`  ${at === 0 ? "checked by" : "          "}  ${command}`),
    ...(page === undefined ? [] : pageLines(page.createLink(), palette)),
    line``,
    isElsewhere
      ? line`On the agent's machine, with that lock file in its ~/.claude/ide:`
      : line`In another terminal:`,
    line``,
    line`  cd ${shellQuote(start.folder)}`,
    ...agentLines(start, palette),
    line``,
    line`Claude Code asks here only in ${askingModeWords};`,
    line`press Shift+Tab there to change the mode.`,
    line`Type help for a list of commands.`,
    line``,
  ];
}

/** Another process serves the folder. */
function joinedLines(): readonly Printable[] {
  return [
    line`  joined      another editor is open on this folder: agents`,
    line`              know what you do in the one that you used last`,
  ];
}

/** The widest column of agents' names, for a terminal of 80 columns. */
const MAX_COMMAND = 40;

/** A command for each agent; without the name if the command alone fills a line. */
function agentLines({ agents }: AgentStart, palette: Palette): readonly Printable[] {
  const isShort = ({ command }: StartedAgent) => command.length <= MAX_COMMAND;
  const width = Math.max(...agents.filter(isShort).map(({ command }) => command.length));
  return agents.map((agent) => {
    const { name, command, hint } = agent;
    if (!isShort(agent) || agents.length === 1) return line`  ${palette.bold(command)}`;
    const rest = " ".repeat(width - command.length);
    return line`  ${palette.bold(command)}${rest}  ${name}${hint === undefined ? "" : `: ${hint}`}`;
  });
}

function endpointLines({ endpoints }: IdeListener, io: CliIo): readonly Printable[] {
  const home = io.env["HOME"] ?? homedir();
  return endpoints.flatMap(({ dialect, url, lockFile }) => [
    line`  ${dialect.padEnd(10)}  ${url}`,
    ...(lockFile === undefined ? [] : [line`              ${tilde(lockFile, home)}`]),
  ]);
}

function pageLines(link: string, palette: Palette): readonly Printable[] {
  return [
    line`  page        ${palette.bold(link)}`,
    line`              (valid once, for a minute; type page for another)`,
  ];
}
