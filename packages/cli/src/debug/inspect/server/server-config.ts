import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describeValue, isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "@idewire/node-server/internal";
import type { ServerTarget } from "../../../flags/target.ts";
import { type ConfigInput, expand } from "./config-variables.ts";
import type { NamedRun } from "./open-servers.ts";

/** The options from the flags, which apply to all servers. */
export type CommonOptions = Omit<NamedRun["run"], "target">;

type Env = Readonly<Record<string, string | undefined>>;
type Entry = Readonly<Record<string, unknown>>;

/** The members under which agents store their servers: `servers` is that of Visual Studio Code. */
const MEMBERS = ["mcpServers", "servers", "mcp_servers"] as const;

/**
 * The MCP servers of a configuration of Claude, Cursor, Gemini CLI or Visual Studio Code, which is JSON with or without
 * comments, or of Codex, which is TOML.
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
  const value = /\.toml$/i.test(path) ? await parseToml(text, path) : await parseJson(text);
  return parseServerConfig(value, env, { path, common });
}

async function parseJson(text: string): Promise<unknown> {
  const { parse } = await import("jsonc-parser");
  return parse(text, [], { allowTrailingComma: true });
}

async function parseToml(text: string, path: string): Promise<unknown> {
  const { parse } = await import("smol-toml");
  try {
    return parse(text);
  } catch (error) {
    const [why = ""] = (error as Error).message.split("\n");
    throw invalid(`${path} is not TOML: ${why}`);
  }
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
    throw invalid(`${path} has no servers: expected mcpServers, servers, or mcp_servers in TOML`);
  }
  const isCodex = member === "mcp_servers";
  const inputs = inputsOf(value);
  return entries.map(([name, entry]) => {
    if (!isObject(entry)) {
      throw invalid(`${path}: ${name}: expected a server, got ${describeValue(entry)}`);
    }
    const where = `${path}: ${name}`;
    const variables = { env, inputs, folder: folderOf(path), where };
    // Codex has members that name variables, and replaces nothing in texts.
    const read = isCodex ? fromCodex(entry, { env, where }) : (expand(entry, variables) as Entry);
    return toRun(name, { entry: read, path, common });
  });
}

/** The folder that a configuration is for: `.vscode` is in it. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === ".vscode" ? dirname(folder) : folder;
}

function inputsOf(value: unknown): readonly ConfigInput[] {
  const inputs = isObject(value) ? value["inputs"] : undefined;
  if (!Array.isArray(inputs)) return [];
  return inputs.filter(isObject).map(({ id, description, default: start, password }) => ({
    id: String(id),
    ...(typeof description === "string" && { description }),
    ...(typeof start === "string" && { default: start }),
    ...(password === true && { password }),
  }));
}

/** An entry of Codex as others write it. */
function fromCodex(
  entry: Entry,
  { env, where }: { readonly env: Env; readonly where: string },
): Entry {
  const read = (variable: string) => {
    const found = env[variable];
    if (found === undefined) throw invalid(`${where}: the variable ${variable} is not set`);
    return found;
  };
  const { bearer_token_env_var: token, http_headers: fixed, env_http_headers: named } = entry;
  const headers = Object.entries(texts(named)).map(([name, variable]) => [name, read(variable)]);
  return {
    ...entry,
    headers: {
      ...texts(fixed),
      ...Object.fromEntries(headers),
      ...(typeof token === "string" && { authorization: `Bearer ${read(token)}` }),
    },
  };
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

function targetOf(entry: Entry): ServerTarget | undefined {
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

function invalid(words: string): IdewireError {
  return new IdewireError("invalid-argument", words);
}
