import { redactSecrets, shellQuote } from "@idewire/core/internal";

/** A command line, and what it is typed again for. */
export interface TypedCommand {
  /** What followed the program's name. */
  readonly args: readonly string[];
  /** The native folder in which it was typed: paths may be relative to it. */
  readonly cwd: string;
  /** The port of the page. */
  readonly port: number;
}

/**
 * The command line for a POSIX shell as it was typed, with the page at the port that it has now. Tokens in
 * it are replaced: the page shows it.
 */
export function typedCommand({ args, cwd, port }: TypedCommand): string {
  const end = args.indexOf("--");
  const [flags, rest] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const isThere = flags.some((flag, at) => flag === "--web-port" && flags[at + 1] === `${port}`);
  // Of several, the last counts.
  const words = [...flags, ...(isThere ? [] : ["--web-port", `${port}`]), ...rest];
  const line = ["idewire", ...words.map((word) => redactSecrets(word, "redacted-token"))];
  return `cd ${shellQuote(cwd)} && ${line.map(shellQuote).join(" ")}`;
}
