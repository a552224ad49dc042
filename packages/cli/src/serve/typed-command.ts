import { redactSecrets, shellQuote } from "@idewire/core/internal";

/** A typed command line and its context. */
export interface TypedCommand {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** The native folder in which it was typed, for relative paths. */
  readonly cwd: string;
  /** The port of the page. */
  readonly port: number;
}

/**
 * The typed command line for a POSIX shell, with the current port of the page. Tokens in it are replaced, since
 * the page shows it.
 */
export function typedCommand({ args, cwd, port }: TypedCommand): string {
  const end = args.indexOf("--");
  const [flags, rest] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const isThere = flags.some((flag, at) => flag === "--web-port" && flags[at + 1] === `${port}`);
  // The last of several counts.
  const words = [...flags, ...(isThere ? [] : ["--web-port", `${port}`]), ...rest];
  const line = ["idewire", ...words.map((word) => redactSecrets(word, "redacted-token"))];
  return `cd ${shellQuote(cwd)} && ${line.map(shellQuote).join(" ")}`;
}
