import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { toNativePath } from "@idewire/core";
import type { Stage } from "../face.ts";
import type { CliIo } from "../io.ts";
import { PLATFORM } from "../script/native-path.ts";
import { shellQuote } from "../shell-quote.ts";
import type { Palette } from "./palette.ts";
import { line, type Printable } from "./printable.ts";
import { describeShare } from "./share-words.ts";

/** Says where it listens, what is shared, and how to get an agent here. */
export function greet(
  { host, listener }: Stage,
  io: CliIo,
  palette: Palette,
): readonly Printable[] {
  const folder = toNativePath(host.folder, PLATFORM);
  const home = io.env["HOME"] ?? homedir();
  const { level } = listener.share;
  const agents = ["claude --ide"];
  const claudeHome = join(home, ".claude", "ide");
  const isElsewhere = listener.endpoints.some(({ lockFile }) => dirname(lockFile) !== claudeHome);
  const configDir = isElsewhere ? io.env["CLAUDE_CONFIG_DIR"] : undefined;
  if (configDir !== undefined)
    agents[0] = `CLAUDE_CONFIG_DIR=${shellQuote(configDir)} claude --ide`;
  else agents.push("opencode");
  return [
    line`${palette.bold("idewire")} ${host.info.version} is the editor of ${palette.bold(folder)}`,
    line``,
    ...listener.endpoints.flatMap(({ url, lockFile }) => [
      line`  listens at  ${url}`,
      line`  lock file   ${tilde(lockFile, home)}`,
    ]),
    line`  shared      ${describeShare(level)}`,
    line`              (never .git, .env files and private keys)`,
    line``,
    line`In another terminal:`,
    line``,
    line`  cd ${shellQuote(folder)}`,
    line`  ${palette.bold(agents[0] ?? "")}${agents[1] === undefined ? "" : `      or: ${agents[1]}`}`,
    line``,
    line`Type help for what you can do here.`,
    line``,
  ];
}

function tilde(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
