/** What `idewire comments` does, in the order of its help. */
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

/** As commander gives them. */
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
