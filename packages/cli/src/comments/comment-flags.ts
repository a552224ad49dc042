/** The subcommands of `idewire comments`, in the order of the help. */
export const commentActions = [
  "serve",
  "list",
  "show",
  "add",
  "edit",
  "reply",
  "resolve",
  "reopen",
  "move",
  "delete",
  "search",
  "check",
  "fix",
  "export",
  "import",
  "migrate",
  "merge",
] as const;

export type CommentAction = (typeof commentActions)[number];

/** As parsed by commander. */
export interface CommentFlags {
  readonly cwd?: string;
  readonly json?: true;
  readonly tag?: string;
  readonly author?: string;
  readonly quote?: string;
  readonly end?: string;
  readonly output?: string;
  readonly context?: string;
  readonly since?: string;
  readonly junit?: string;
  readonly sarif?: string;
  readonly http?: string | true;
  readonly errors?: "seed" | "spec";
}
