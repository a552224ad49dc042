import { basename, resolve } from "node:path";
import { type PathMapFlag, readPathMap } from "../../flags/path-map-flag.ts";
import { parseTarget, programOf, type ServerTarget } from "../../flags/target.ts";
import type { McpEra } from "../../mcp/mcp-call.ts";
import { readServerFlags, type ServerFlags } from "../../mcp/server-flags.ts";
import type { CliIo } from "../../process/io.ts";
import type { EditorSubject, ServerSubject } from "./run-inspect.ts";
import { readServerConfig } from "./server/server-config.ts";

/** The flags that choose the subject, as parsed by commander. */
export interface SubjectFlags extends ServerFlags {
  readonly asAgent?: true;
  readonly port?: number;
  readonly lock?: string;
  readonly listenPort?: number;
  readonly pathMap?: readonly PathMapFlag[];
  readonly config?: string;
  readonly era?: McpEra;
}

interface Line {
  readonly flags: SubjectFlags;
  readonly io: CliIo;
}

/**
 * The subject of the inspection; a string names the wrong word or flag.
 * @throws IdewireError `file-system`, `invalid-argument` for an unusable configuration
 */
export async function readSubject(
  words: readonly string[],
  { flags, io }: Line,
): Promise<EditorSubject | ServerSubject | string> {
  const program = programOf(io.args);
  const before = words.slice(0, words.length - (program?.length ?? 0));
  const hasNone = before.length === 0 && program === undefined;
  const target = parseTarget(hasNone ? ["."] : before, program);
  if (typeof target === "string") return target;
  const isServer = flags.config !== undefined || !("folder" in target);
  const issue = isServer ? serverIssue(flags) : editorIssue(flags);
  if (issue !== undefined) return issue;
  const options = await readServerFlags(flags, target, io);
  if (typeof options === "string") return options;
  const { config, era = "auto" } = flags;
  if (config !== undefined) {
    if (!hasNone) return "--config names the MCP servers: give no other";
    const path = resolve(io.cwd, config);
    return { servers: await readServerConfig(path, io.env, { ...options, era }) };
  }
  if ("folder" in target) return readEditor(target.folder, { flags, io });
  return { servers: [{ name: nameOf(target), run: { ...options, target, era } }] };
}

function serverIssue({ asAgent, port, lock, listenPort }: SubjectFlags) {
  const ofEditor = { "--as-agent": asAgent, "--port": port, "--lock": lock };
  const all = Object.entries({ ...ofEditor, "--listen-port": listenPort });
  const stray = all.find(([, value]) => value !== undefined);
  return stray && `${stray[0]} is for an editor, not for an MCP server`;
}

function editorIssue({ asAgent, port, lock, listenPort, era }: SubjectFlags) {
  if (era !== undefined) return "--era is for an MCP server, not for an editor";
  if (asAgent && listenPort !== undefined) {
    return "--listen-port is for agents, and --as-agent accepts no agents";
  }
  if (port === undefined || lock === undefined) return undefined;
  return "--port and --lock each name an editor: give one of them";
}

/** Programs that start another one: the first argument without a dash names it. */
const LAUNCHERS = /^(?:node|npx|bunx?|deno|uvx?|python3?|docker|sh|bash)(?:\.exe)?$/;
/** The argument after these is the program itself, not a name. */
const CODE = /^(?:-[cep]|--eval|--print)$/;

function nameOf(target: ServerTarget): string {
  if ("url" in target) return new URL(target.url).host;
  const command = basename(target.command);
  const started = target.args.find(
    (word, at, all) => !(word.startsWith("-") || CODE.test(all[at - 1] ?? "")),
  );
  return LAUNCHERS.test(command) && started !== undefined ? basename(started) : command;
}

async function readEditor(folder: string, { flags, io }: Line): Promise<EditorSubject> {
  const { port, lock, listenPort } = flags;
  const cwd = resolve(io.cwd, folder);
  return {
    search: {
      ...{ cwd, env: io.env, port },
      pathMap: await readPathMap(flags.pathMap, io, "agent"),
      ...(lock !== undefined && { lockFile: resolve(io.cwd, lock) }),
    },
    mode: flags.asAgent ? "agent" : "proxy",
    listenPort,
  };
}
