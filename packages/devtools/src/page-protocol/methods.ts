import type { EditorCommand } from "@idewire/core";
import type { Change, ChangeComment, SentComments } from "@idewire/core/internal";
import type { CheckResult } from "../checks/verdict.ts";
import type { FoundFile, SearchEnd, TextQuery } from "../text-search/search-files.ts";
import type { TraceEvent } from "../trace/format/trace-event.ts";
import type { CommentMethods, CommentsEvents } from "./comment-methods.ts";
import type { InspectionFacts, InspectMethods } from "./inspect-methods.ts";

/** Without parameters, or without a result. */
export type Nothing = Readonly<Record<never, never>>;

/** The server that a page is connected to. */
export interface Joined {
  /** Admits the page again after its connection was lost. */
  readonly key: string;
  /** The native path of the folder that the page edits, or where the agents of an inspection start. */
  readonly folder: string;
  /** How agents are started so that they find the folder; left out for an inspection. */
  readonly start?: AgentStart;
  /** The shell command that serves the folder again with the flags that it has; left out for an inspection. */
  readonly again?: string;
  /** The time of day at which the times of the log begin, in milliseconds since 1970. */
  readonly began?: number;
  /** Set when the page shows an inspection instead of being an editor. */
  readonly inspection?: InspectionFacts;
  /** Set when the comments of the folder are shown (`idewire serve --comments`). */
  readonly comments?: true;
}

/** An agent that may be started. */
export interface StartedAgent {
  readonly name: string;
  readonly command: string;
  /** The person's act in it before it connects. */
  readonly hint?: string;
}

/** How agents are started so that they find a folder. */
export interface AgentStart {
  /** The folder's path on the agents' machine. */
  readonly folder: string;
  /** Agents that discover it, with the shell command of each, to be run in that folder. */
  readonly agents: readonly StartedAgent[];
  /** Set when agents are elsewhere (`--path-map`): the native path of the lock file that they need there. */
  readonly lockFile?: string;
}

/** The commands of a page: all except setting diagnostics, which only programs do. */
export type PageCommand = Exclude<EditorCommand<string>, { readonly do: "setDiagnostics" }>;

/** A suggestion to the person. */
export interface DoctorAdvice {
  readonly words: string;
  /** The shell command that does it, if there is one. */
  readonly command?: string;
}

/** A step of `idewire doctor`, on the way from the folder to an editor that answers. */
export interface DoctorStep {
  readonly id: string;
  readonly title: string;
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  /** One line. */
  readonly detail: string;
  readonly advice?: readonly DoctorAdvice[];
}

/** A connected agent. */
export interface ConnectedAgent {
  /** Its own name. */
  readonly name: string;
  /** Its title in texts for people. */
  readonly title: string;
  readonly version: string;
  readonly pid?: number;
}

/** Whether an agent asks before it writes, as far as observed: some have no diffs. */
export type AgentMode = "unknown" | "asks" | "writes" | "no-diffs";

/** A session of the folder: one connected agent. */
export interface AgentSessionFacts extends ConnectedAgent {
  /** The name of its connection in the log. */
  readonly session: string;
  /** The agent's title for its conversation with the person; absent for agents that send none. */
  readonly sessionTitle?: string;
  /** `starting` until it is ready for notifications. */
  readonly state: "starting" | "ready";
  readonly mode: AgentMode;
  /** The ids of its pending diffs. */
  readonly diffs: readonly string[];
}

/** The result of all steps. */
export interface DoctorReport {
  readonly agents: readonly ConnectedAgent[];
  /** Facts about agents that steps cannot check. */
  readonly rules: readonly string[];
  /** The command that does the same in a terminal. */
  readonly command: string;
}

/** An editor of this machine that may be checked. */
export interface CheckTarget {
  /** Opaque: it does not reveal the path of the lock file. */
  readonly id: string;
  readonly name: string;
  readonly port: number;
  /** Native paths, with `~` for the home directory. */
  readonly folders: readonly string[];
  /** Whether it is idewire's own editor of this folder. */
  readonly own: boolean;
}

/** The methods of every page. */
export interface SharedMethods {
  /** The first request, sent once: the log so far follows, then new events as they happen. */
  "live/join": { params: Nothing; result: Joined };
  /** Creates an address that opens another page, once, within a minute. */
  "live/link": { params: Nothing; result: { readonly url: string } };
  /** The running editors of this machine, the likeliest first. */
  "live/check-targets": { params: Nothing; result: { readonly targets: readonly CheckTarget[] } };
  /** Runs the checks; each result is sent as `live/check-result`, and the answer follows the last one. */
  "live/check": {
    params: {
      /** Chosen by the page; the results have it too. */
      readonly run: number;
      readonly target: string;
      /** Includes the checks that show a diff for a moment. */
      readonly destructive?: boolean;
      /** Leaves out the checks that may freeze an editor. */
      readonly gentle?: boolean;
    };
    result: { readonly ok: boolean; readonly ms: number };
  };
  /** Stops the running checks. */
  "live/check-stop": { params: Nothing; result: Nothing };
}

/** The texts of a change; those of a file that did not exist, or was deleted, are left out. */
export interface PageChangeTexts {
  readonly version: number;
  readonly before?: string;
  /** The proposed, accepted or written text. */
  readonly after?: string;
  /** Of an edit that came without a review, the part that is not decided; its hunks are the differences. */
  readonly undecided?: { readonly before: string; readonly written: string };
}

/** Further methods of the page of a folder, beside the commands of the person. */
export interface FolderMethods {
  /** The texts of a change of `live/changes`, to be read. */
  "changes/read": { params: { readonly id: string }; result: PageChangeTexts };
  /** Retains or undoes an edit that came without a review, or one of its undecided hunks. */
  "changes/decide": {
    params: {
      readonly id: string;
      /** The version of the texts that were shown to the person. */
      readonly version: number;
      readonly decision: "keep" | "undo";
      /** Its place among the undecided hunks, from 0; all of them if left out. */
      readonly hunk?: number;
    };
    result: {
      /** Of the texts after the decision. */
      readonly version: number;
      /** How many hunks were not undone, because their lines have changed since. */
      readonly refused: number;
      /** Whether the text is left unsaved, as other changes in it are. */
      readonly unsaved: boolean;
    };
  };
  /**
   * Sends the person's comments on lines of a change to the agents: stored beside the file, which is mentioned. A
   * waiting diff is rejected.
   */
  "changes/comment": {
    params: { readonly id: string; readonly comments: readonly ChangeComment[] };
    /** Its file of comments is relative to the folder. */
    result: SentComments;
  };
  /** Undoes all edits without a review that its agent has written since the same prompt. */
  "changes/undo-turn": {
    params: { readonly id: string };
    /** The files of which something was undone, and sentences about what was not. */
    result: { readonly undone: readonly string[]; readonly problems: readonly string[] };
  };
  /**
   * Searches the files of the folder for a plain text, unsaved text included; excluded files are left out. What is
   * found is sent as `search/found`, and the answer follows the last of it. It stops an earlier search.
   */
  "search/run": {
    /** `run` is chosen by the page; what is found has it, too. */
    params: { readonly run: number } & TextQuery;
    result: SearchEnd;
  };
  /** Stops the search. */
  "search/stop": { params: Nothing; result: Nothing };
  /** Requests the list of files, which is sent as the event `live/files`. */
  "live/files": { params: Nothing; result: Nothing };
  /** Runs the doctor; each step is sent as `live/doctor-step`, and the answer follows the last one. */
  "live/doctor": { params: { readonly run: number }; result: DoctorReport };
}

/** All methods of pages, each with its parameters and its result. */
export interface PageMethods extends SharedMethods, FolderMethods, CommentMethods, InspectMethods {}

/** All events that a page receives, each with its parameters. */
export interface PageEvents extends CommentsEvents {
  /**
   * New events of the log, oldest first. It is a request: the next one follows the page's answer. The
   * current facts of an inspection are included.
   */
  "live/events": { readonly events: readonly TraceEvent[]; readonly inspection?: InspectionFacts };
  /** The facts of an inspection have changed. */
  "inspect/facts": { readonly inspection: InspectionFacts };
  /** A request of the page was sent: its id, and its connection in the log. */
  "inspect/sent": { readonly key: string; readonly ch: string; readonly id: number };
  /** All events from before the page joined have been sent; `rowsBefore` have a row and came before those. */
  "live/joined": { readonly rowsBefore: number };
  /** The files of the folder, relative to it; `cut` when there are more. */
  "live/files": { readonly files: readonly string[]; readonly cut: boolean };
  /** The connected agents, oldest session first; sent after joining, and after each change. */
  "live/agents": { readonly agents: readonly AgentSessionFacts[] };
  /** The proposals and edits of agents, newest first; sent after joining, and after each change. */
  "live/changes": { readonly changes: readonly Change[] };
  /** A notice to the person. */
  "live/notice": { readonly words: string };
  /** A file with unsaved text was changed on disk. */
  "live/stale": { readonly path: string };
  /** A result, with the events since the previous one. */
  "live/check-result": {
    readonly run: number;
    readonly result: CheckResult;
    readonly events: readonly TraceEvent[];
  };
  /** Files with matches. It is a request: the search continues after the page's answer. */
  "search/found": { readonly run: number; readonly found: readonly FoundFile[] };
  /** A step, one of `count`. */
  "live/doctor-step": { readonly run: number; readonly step: DoctorStep; readonly count: number };
}

/** A method of the page of a folder. */
export type FolderPageMethod = keyof (SharedMethods & FolderMethods);

/** A method of the comments of a folder. */
export type CommentPageMethod = keyof CommentMethods;

/** A method of the page of an inspection. */
export type InspectPageMethod = keyof (SharedMethods & InspectMethods);

/** The name of a method. */
export type PageMethod = keyof PageMethods;

/** The name of an event. */
export type PageEvent = keyof PageEvents;
