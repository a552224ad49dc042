import { describeValue } from "@idewire/core/internal/base";

/** The target of a command: an address, a program to start, or a folder. */
export type Target =
  | { readonly url: string }
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly folder: string };

/** A target of an inspection as a client, for which a folder is that of an editor, not of a vault. */
export type ServerTarget = Exclude<Target, { readonly folder: string }>;

/**
 * Parses a target, by the grammar of all commands: a URL has `://`, a command line comes after `--`, anything
 * else is a folder. Returns an error message for an invalid one.
 * @param program the words after `--`; undefined without it
 */
export function parseTarget(
  words: readonly string[],
  program: readonly string[] | undefined,
): Target | string {
  const [first, second] = words;
  if (program !== undefined) {
    const [command = "", ...args] = program;
    if (command === "") return "the command after -- is missing";
    if (first === undefined) return { command, args };
    return `expected nothing before the command after --; got ${describeValue(first)}`;
  }
  if (first === undefined || first === "") {
    return "the server is missing: a URL, a folder, or a command after --";
  }
  if (second !== undefined) {
    const rest = second.includes(" ") ? describeValue(second) : second;
    return `expected one URL or folder, then ${rest}; a command comes after --`;
  }
  if (!first.includes("://")) return { folder: first };
  if (/^https?:\/\//i.test(first) && URL.canParse(first)) return { url: new URL(first).href };
  return `expected an http or https address; got ${describeValue(first)}`;
}

/** The typed words after `--`; undefined without it. */
export function programOf(argv: readonly string[] = []): readonly string[] | undefined {
  const at = argv.indexOf("--");
  return at === -1 ? undefined : argv.slice(at + 1);
}
