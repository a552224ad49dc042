import { readFile } from "node:fs/promises";
import { describeValue, isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "@idewire/node-server/internal";
import type { Target } from "../../../flags/target.ts";
import type { NamedRun } from "./open-servers.ts";

/** What the flags say of all servers. */
export type CommonOptions = Omit<NamedRun["run"], "target">;

type Env = Readonly<Record<string, string | undefined>>;
type Entry = Readonly<Record<string, unknown>>;

/** The members under which agents store their servers: `servers` is that of Visual Studio Code. */
const MEMBERS = ["mcpServers", "servers"] as const;

/**
 * The MCP servers of a configuration of Claude, Cursor, Gemini CLI or Visual Studio Code: JSON, with comments or
 * without.
 * @throws IdewireError `file-system` when it cannot be read; `invalid-argument` when it has no servers, or an
 * unusable one, by name
 */
export async function readServerConfig(
  path: string,
  env: Env,
  common: CommonOptions,
): Promise<readonly NamedRun[]> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new IdewireError("file-system", `${path} cannot be read (${codeOf(cause)})`, { cause });
  });
  const { parse } = await import("jsonc-parser");
  return parseServerConfig(parse(text, [], { allowTrailingComma: true }), env, { path, common });
}

/** The servers of a parsed configuration; throws as {@link readServerConfig} does. */
export function parseServerConfig(
  value: unknown,
  env: Env,
  { path, common }: { readonly path: string; readonly common: CommonOptions },
): readonly NamedRun[] {
  const member = MEMBERS.find((name) => isObject(value) && isObject(value[name]));
  const entries = Object.entries((member && isObject(value) && value[member]) || {});
  if (entries.length === 0) {
    throw invalid(`${path} has no servers: expected an object mcpServers or servers`);
  }
  return entries.map(([name, entry]) => {
    if (!isObject(entry)) {
      throw invalid(`${path}: ${name}: expected a server, got ${describeValue(entry)}`);
    }
    return toRun(name, { entry: expand(entry, env, `${path}: ${name}`) as Entry, path, common });
  });
}

interface Read {
  readonly entry: Entry;
  readonly path: string;
  readonly common: CommonOptions;
}

function toRun(name: string, { entry, path, common }: Read): NamedRun {
  const { headers, cwd, env } = entry;
  const target = targetOf(entry);
  if (target === undefined) throw invalid(`${path}: ${name}: expected a command or an http URL`);
  return {
    name,
    run: {
      ...{ ...common, target },
      headers: lowerCase(texts(headers)),
      cwd: typeof cwd === "string" ? cwd : common.cwd,
    },
    env: texts(env),
  };
}

function targetOf(entry: Entry): Target | undefined {
  const { command, args } = entry;
  // Gemini CLI names Streamable HTTP httpUrl, and Windsurf any address serverUrl.
  const url = entry["url"] ?? entry["httpUrl"] ?? entry["serverUrl"];
  if (typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url)) {
    return { url: new URL(url).href };
  }
  if (typeof command !== "string" || command === "") return undefined;
  return { command, args: Array.isArray(args) ? args.map(String) : [] };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}

/** `${NAME}`, with an optional default after `:-`, and `${env:NAME}` of Visual Studio Code. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}$]*))?\}/g;

/** Replaces variables in all texts. */
function expand(value: unknown, env: Env, where: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => expand(item, env, where));
  if (isObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [key, expand(item, env, where)]));
  }
  if (typeof value !== "string") return value;
  return value.replaceAll(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const found = env[name] ?? otherwise;
    if (found === undefined) throw invalid(`${where}: the variable ${name} is not set`);
    return found;
  });
}

function invalid(words: string): IdewireError {
  return new IdewireError("invalid-argument", words);
}
