/** The exit codes of the process. After signal n, the code is 128 + n. */
export const ExitCode = {
  Ok: 0,
  Failed: 1,
  Usage: 2,
  ToolFailed: 3,
  NoAgent: 3,
  NoEditor: 3,
  NotFound: 127,
  Hangup: 129,
  Interrupted: 130,
  Terminated: 143,
} as const;

/** An exit code and its meaning. */
export type ExitMeaning = readonly [code: number, when: string];

export const usage: ExitMeaning = [ExitCode.Usage, "the command line was wrong"];
export const signals: readonly ExitMeaning[] = [
  [ExitCode.Hangup, "after SIGHUP"],
  [ExitCode.Interrupted, "after SIGINT, which Ctrl-C sends"],
  [ExitCode.Terminated, "after SIGTERM"],
];
export const printed: readonly ExitMeaning[] = [[ExitCode.Ok, "it was printed"], usage];
