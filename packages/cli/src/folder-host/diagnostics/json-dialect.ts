/**
 * How the programs that read a JSON file parse it: `strict` by RFC 8259, `comments` with comments and trailing
 * commas, `lines` with strings over several lines as well, `standard` if they are unknown, so that only the standard
 * applies.
 */
export type JsonDialect = "strict" | "comments" | "lines" | "standard";

/** Files with only strict readers. */
const STRICT = /^(package(-lock)?|npm-shrinkwrap|composer|bower)\.json$/i;

/** Tools that accept comments in a file of their name. */
const WITH_COMMENTS: ReadonlySet<string> = new Set(
  (
    "angular api-extractor app apphost argv biome bundleconfig c_cpp_properties command-line " +
    "common-versions cspell deno database.rules devcontainer devcontainer-feature devcontainer-template " +
    "docfx dprint eas ecosystem electron-builder experiments firebase firestore.indexes function " +
    "global host import_map importmap import-map jsdoc jsr keybindings keymap knip launch lefthook " +
    "lerna libman manifest mcp messages neoconf nest-cli nodemon nx omnisharp opencode playwright " +
    "project renovate rescript rush staticwebapp stryker tasks tsdoc turbo typedoc vercel " +
    "version-policies workspace wrangler"
  ).split(" "),
);

/** The pattern of settings files; most tools accept comments in their own. */
const SETTINGS =
  /(^|[-._])([tj]sconfig|[a-z]*rc|[a-z]*lint|[a-z]*config(uration)?s?|[a-z]*settings|conf|runner|ocelot|serilog|nlog|stylecop|options|presets?|[a-z]*theme|tmlanguage|snippets|launchsettings)([-._]|$)/i;

/** Folders in whose files editors accept comments. */
const FOLDERS = /^(snippets|themes|syntaxes|config)$/i;

/** The beginning of a template of Azure, whose expressions may have several lines. */
const AZURE = /"\$schema"\s*:\s*"https?:\/\/schema\.management\.azure\.com\//;

/** @param path relative to the workspace: folders above it do not count */
export function jsonDialect(path: string, text: string): JsonDialect {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (/\.jsonc$/i.test(name)) return "comments";
  if (STRICT.test(name)) return "strict";
  const start = text.slice(0, 4_096);
  if (AZURE.test(start)) return "lines";
  const stem = name.replace(/\.json$/i, "").toLowerCase();
  const isOfTool =
    WITH_COMMENTS.has(stem) ||
    SETTINGS.test(stem) ||
    name.startsWith(".") ||
    folders.some((folder) => /^\.[^.]/.test(folder)) ||
    FOLDERS.test(folders.at(-1) ?? "") ||
    // A file that names its schema is also read by an editor.
    /"\$schema"\s*:/.test(start) ||
    // A program that writes a notice before the value reads it, too.
    /^\uFEFF?\s*\/\*/.test(start);
  return isOfTool ? "comments" : "standard";
}

/** Whether every line is its own value (JSON Lines), as in exports of databases named `.json`. */
export function isJsonLines(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => /^\s*[[{]/.test(line) && isJson(line));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
