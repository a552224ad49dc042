/**
 * How the programs that read a JSON file read it: `strict` as RFC 8259 says, `comments` with comments
 * and trailing commas, `standard` unknown, so that the standard is all that can be said.
 */
export type JsonDialect = "strict" | "comments" | "standard";

/** Their only readers are strict ones. */
const STRICT = /^(package(-lock)?|npm-shrinkwrap|composer|bower)\.json$/i;

/** Tools that read a file of this name with comments. */
const WITH_COMMENTS: ReadonlySet<string> = new Set(
  (
    "angular api-extractor app apphost biome bundleconfig command-line common-versions cspell deno " +
    "devcontainer devcontainer-feature devcontainer-template dprint experiments firebase function " +
    "global host import_map jsdoc jsr keybindings knip launch lefthook lerna libman manifest mcp " +
    "nest-cli nodemon nx omnisharp playwright project renovate rush staticwebapp stryker tasks tsdoc " +
    "turbo typedoc vercel version-policies workspace wrangler"
  ).split(" "),
);

/** What the names of settings have in common; most tools read their own with comments. */
const SETTINGS =
  /(^|[-._])([tj]sconfig|[a-z]*rc|[a-z]*lint|[a-z]*config(uration)?s?|[a-z]*settings|options|presets?|[a-z]*theme|tmlanguage|snippets|launchsettings)([-._]|$)/i;

/** Folders whose files an editor reads with comments. */
const FOLDERS = /^(snippets|themes|syntaxes|config)$/i;

/** @param path relative to the workspace: a folder above it is no sign */
export function jsonDialect(path: string, text: string): JsonDialect {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (/\.jsonc$/i.test(name)) return "comments";
  if (STRICT.test(name)) return "strict";
  const stem = name.replace(/\.json$/i, "").toLowerCase();
  const isOfTool =
    WITH_COMMENTS.has(stem) ||
    SETTINGS.test(stem) ||
    name.startsWith(".") ||
    folders.some((folder) => /^\.[^.]/.test(folder)) ||
    FOLDERS.test(folders.at(-1) ?? "") ||
    // What names its schema is read by an editor, too.
    /"\$schema"\s*:/.test(text.slice(0, 4_096));
  return isOfTool ? "comments" : "standard";
}

/**
 * Whether every line is a value of its own (JSON Lines), which exports of databases are under the name
 * `.json`.
 */
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
