import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject, parseJson, redactSecrets } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { fromNative } from "@idewire/node-server/internal/files";

const SETTINGS = "--settings";

/** How many bytes of rules are passed: Linux starts no process with an argument of 128 KiB. */
const MAX_RULES_BYTES = 98_304;

/**
 * Excluded files as rules of Claude Code's permissions: patterns as in a `.gitignore` with an absolute root. An
 * exception (`!`) has no counterpart: its files are denied as well.
 * @param folders native
 */
export function denyRules(folders: readonly string[], globs: readonly string[]): readonly string[] {
  const patterns = globs.map((glob) => glob.trim()).filter((glob) => !/^($|[#!])/.test(glob));
  return folders.flatMap((folder) =>
    patterns.flatMap((pattern) => {
      const rule = `/${escapeGlob(fromNative(folder))}${isAnchored(pattern) ? "/" : "/**/"}${pattern.replace(/^\//, "")}`;
      return [`Read(${rule})`, `Edit(${rule})`];
    }),
  );
}

/** As many rules as fit into an argument, from the first one on. */
export function fittingRules(rules: readonly string[]): readonly string[] {
  let bytes = 0;
  const past = rules.findIndex((rule) => {
    bytes += Buffer.byteLength(JSON.stringify(rule)) + 1;
    return bytes > MAX_RULES_BYTES;
  });
  return past === -1 ? rules : rules.slice(0, past);
}

/** A slash before the end binds a pattern to its folder. */
function isAnchored(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]\\]/g, "\\$&");
}

/**
 * Adds rules to the settings in the person's arguments for Claude Code, or adds such an argument. No file is
 * written.
 * @param cwd the base of a relative settings file
 * @throws IdewireError `invalid-argument` for settings that cannot be read, and for a file of them with secrets:
 * every user of the machine can read an argument
 */
export async function withDenyRules(
  args: readonly string[],
  rules: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  if (rules.length === 0) return args;
  const at = args.findLastIndex((word) => word === SETTINGS || word.startsWith(`${SETTINGS}=`));
  if (at === -1) return [SETTINGS, JSON.stringify({ permissions: { deny: rules } }), ...args];
  const word = args[at] ?? "";
  const isJoined = word !== SETTINGS;
  const given = isJoined ? word.slice(SETTINGS.length + 1) : (args[at + 1] ?? "");
  const merged = JSON.stringify(merge(await readSettings(given, cwd), rules));
  return [...args.slice(0, at), SETTINGS, merged, ...args.slice(at + (isJoined ? 1 : 2))];
}

function merge(
  settings: Readonly<Record<string, unknown>>,
  rules: readonly string[],
): Readonly<Record<string, unknown>> {
  const permissions = isObject(settings["permissions"]) ? settings["permissions"] : {};
  const given: unknown = permissions["deny"];
  const deny = [...(Array.isArray(given) ? (given as readonly unknown[]) : []), ...rules];
  return { ...settings, permissions: { ...permissions, deny } };
}

async function readSettings(
  given: string,
  cwd: string,
): Promise<Readonly<Record<string, unknown>>> {
  const isText = given.trimStart().startsWith("{");
  try {
    const text = isText ? given : await readFile(resolve(cwd, given), "utf8");
    const settings = parseJson(text);
    if (!isObject(settings)) throw new Error("it is not an object");
    if (isText || !mayHaveSecrets(text, settings)) return settings;
    throw new Error("it has secrets or an env, which other users could read in an argument");
  } catch (cause) {
    const { message } = cause as Error;
    throw new IdewireError(
      "invalid-argument",
      `${isText ? "The settings" : given} of ${SETTINGS} cannot be read, so that the excluded files cannot be added: ${message}`,
    );
  }
}

function mayHaveSecrets(text: string, settings: Readonly<Record<string, unknown>>): boolean {
  return "env" in settings || redactSecrets(text, "") !== text;
}
