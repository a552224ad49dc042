/** What the process ends with. A signal n that ends it gives 128 + n. */
export const ExitCode = {
  Ok: 0,
  Failed: 1,
  Usage: 2,
  ToolFailed: 3,
  NoAgent: 3,
  NoEditor: 3,
  Hangup: 129,
  Interrupted: 130,
  Terminated: 143,
} as const;

/** A code and when it is given. */
export type ExitMeaning = readonly [code: number, when: string];

const usage: ExitMeaning = [ExitCode.Usage, "the command line was wrong"];
const signals: readonly ExitMeaning[] = [
  [ExitCode.Hangup, "after SIGHUP"],
  [ExitCode.Interrupted, "after SIGINT, which Ctrl-C sends"],
  [ExitCode.Terminated, "after SIGTERM"],
];
const control: readonly ExitMeaning[] = [
  [ExitCode.Ok, "the editor has done it"],
  [ExitCode.Failed, "no editor serves the folder, or it refuses"],
  usage,
];
const printed: readonly ExitMeaning[] = [[ExitCode.Ok, "it was printed"], usage];

/** By command, in the order of the help: the help and the README say no other. */
export const exitStatus: Readonly<Record<string, readonly ExitMeaning[]>> = {
  serve: [
    [ExitCode.Ok, "after quit, stop or the end of the input"],
    [ExitCode.Failed, "it could not start"],
    usage,
    ...signals,
  ],
  host: [
    [ExitCode.Ok, "the editor has ended its side"],
    [ExitCode.Failed, "it could not start, or the editor named no folder"],
    usage,
    ...signals,
  ],
  list: [[ExitCode.Ok, "an editor is running"], [ExitCode.Failed, "none is"], usage],
  doctor: [[ExitCode.Ok, "no step fails"], [ExitCode.Failed, "a step fails"], usage],
  call: [
    [ExitCode.Ok, "the tool gave a result"],
    [ExitCode.Failed, "there is no editor, or it refuses"],
    usage,
    [ExitCode.ToolFailed, "the tool failed"],
    ...signals,
  ],
  tail: [
    [ExitCode.Ok, "the reader closed stdout"],
    [ExitCode.Failed, "there is no editor"],
    usage,
    ...signals,
  ],
  inspect: [
    [ExitCode.Ok, "the reader closed stdout"],
    [ExitCode.Failed, "there is no editor, or it could not start"],
    usage,
    ...signals,
  ],
  simulate: [
    [ExitCode.Ok, "everything expected happened"],
    [ExitCode.Failed, "something expected did not, or something forbidden did"],
    [ExitCode.Usage, "the command line or the scenario was wrong"],
    [ExitCode.NoAgent, "no agent connected"],
    ...signals,
  ],
  scenario: [
    [ExitCode.Ok, "the scenario was written"],
    [ExitCode.Failed, "the trace cannot be read or played, or the file cannot be written"],
    usage,
  ],
  summary: [[ExitCode.Ok, "it was printed"], [ExitCode.Failed, "the trace cannot be read"], usage],
  compare: [
    [ExitCode.Ok, "the sessions are the same"],
    [ExitCode.Failed, "they differ"],
    [ExitCode.Usage, "the command line was wrong, or a trace cannot be read"],
  ],
  replay: [
    [ExitCode.Ok, "the editor answered as recorded"],
    [ExitCode.Failed, "it answered otherwise"],
    [ExitCode.Usage, "the command line was wrong, or the trace cannot be read"],
    [ExitCode.NoEditor, "there is no editor, or it cannot be reached"],
    ...signals,
  ],
  mcp: [
    [ExitCode.Ok, "it was done, or the agent has ended its side"],
    [ExitCode.Failed, "no vault offers tools here; the server is not reached, or refuses"],
    usage,
    [ExitCode.ToolFailed, "call: the tool failed"],
    ...signals,
  ],
  bridge: [
    [ExitCode.Ok, "the agent has ended its side"],
    [ExitCode.Failed, "it could not start"],
    usage,
    ...signals,
  ],
  comments: [
    [ExitCode.Ok, "it was done, or the agent has ended its side"],
    [ExitCode.Failed, "it could not be done; of check: a comment has lost its code"],
    usage,
    ...signals,
  ],
  check: [
    [ExitCode.Ok, "no required rule is broken"],
    [ExitCode.Failed, "a required rule is broken, or a report could not be written"],
    usage,
    [ExitCode.NoEditor, "there is no editor to check"],
    ...signals,
  ],
  open: control,
  select: control,
  mention: control,
  clear: control,
  diagnose: control,
  completion: printed,
  help: printed,
};
