import { homedir } from "node:os";
import { allDialects, toNativePath } from "@idewire/core";
import { askingModeWords, shellQuote } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import type { Palette } from "../../output/palette.ts";
import { line, type Printable } from "../../output/printable.ts";
import { describeStart } from "../../page-server/agent-start.ts";
import type { CliIo } from "../../process/io.ts";
import type { FrontendContext } from "../frontend.ts";
import { describeShare } from "./share-words.ts";

/** Lists the address, the shared state, and how to connect an agent. */
export function startupMessage(
  { host, listener, checkers, page }: FrontendContext,
  io: CliIo,
  palette: Palette,
): readonly Printable[] {
  const folder = toNativePath(host.folder, platform);
  const home = io.env["HOME"] ?? homedir();
  const start = describeStart({ folder, endpoints: listener.endpoints, env: io.env });
  const isElsewhere = start.lockFile !== undefined;
  const [first, ...more] = start.agents.map(({ command }) => command);
  const others = allDialects
    .filter(({ id }) => listener.endpoints.some((endpoint) => endpoint.dialect === id))
    .flatMap(({ agent }) => (agent === undefined ? [] : `${agent.title} (/ide enable)`));
  return [
    line`${palette.bold("idewire")} ${host.version} is the editor of ${palette.bold(folder)}`,
    ...(isElsewhere ? [line`for agents that see it as ${palette.bold(start.folder)}`] : []),
    line``,
    ...listener.endpoints.flatMap(({ kind, url, lockFile }) =>
      kind === "web-socket" && lockFile !== undefined
        ? [line`  listens at  ${url}`, line`  lock file   ${tilde(lockFile, home)}`]
        : [],
    ),
    ...(others.length === 0 ? [] : [line`  also for    ${others.join(", ")}`]),
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
    line`  ${palette.bold(first ?? "")}${more.map((command) => `      or: ${command}`).join("")}`,
    line``,
    line`Claude Code asks here only in ${askingModeWords};`,
    line`press Shift+Tab there to change the mode.`,
    line`Type help for a list of commands.`,
    line``,
  ];
}

function pageLines(link: string, palette: Palette): readonly Printable[] {
  return [
    line`  page        ${palette.bold(link)}`,
    line`              (valid once, for a minute; type page for another)`,
  ];
}

function tilde(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
