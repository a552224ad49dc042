import type { EditorCommand, EditorCommandResult } from "@idewire/core";
import type { CheckResult } from "../checks/verdict.ts";
import type { TraceEvent } from "../trace/format/trace-event.ts";

/** Without parameters, or without a result. */
export type Nothing = Readonly<Record<never, never>>;

/** What is behind a page that was let in. */
export interface Joined {
  /** Lets the page in again after its connection was lost. */
  readonly key: string;
  /** Native: the folder that the page edits, or where the agents of an inspection start. */
  readonly folder: string;
  /** Set when the page looks on instead of being an editor. */
  readonly inspection?: InspectionFacts;
}

/** What a page looks at. */
export interface InspectionFacts {
  /** `proxy` stands between agents and the editor; `agent` is an agent itself, and may send. */
  readonly mode: "proxy" | "agent";
  readonly editor: {
    readonly name: string;
    readonly host: string;
    readonly port: number;
    readonly pid?: number | undefined;
    /** Native, as the folders are. */
    readonly lockFile: string;
    readonly folders: readonly string[];
  };
  /** Where agents find the inspection when it stands in front of the editor. */
  readonly proxy?: { readonly port: number; readonly lockFile: string };
}

/** What a page may command. What is wrong with files is for programs to find. */
export type PageCommand = Exclude<EditorCommand<string>, { readonly do: "setDiagnostics" }>;

/** What a command came to; without a value when it has none. */
export interface CommandOutcome<V extends PageCommand["do"] = PageCommand["do"]> {
  readonly value?: EditorCommandResult<V>;
}

/** One step that a person can take. */
export interface DoctorAdvice {
  readonly words: string;
  /** What to type for it, where a shell can do it. */
  readonly command?: string;
}

/** One step on the way from the folder to an editor that answers, as `idewire doctor` has it. */
export interface DoctorStep {
  readonly id: string;
  readonly title: string;
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  /** One line. */
  readonly detail: string;
  readonly advice?: readonly DoctorAdvice[];
}

/** An agent that is connected. */
export interface ConnectedAgent {
  readonly name: string;
  readonly version: string;
  readonly pid?: number;
}

/** What is known when all steps are done. */
export interface DoctorReport {
  readonly agents: readonly ConnectedAgent[];
  /** What agents do that no step can see. */
  readonly rules: readonly string[];
  /** The same in a terminal. */
  readonly command: string;
}

/** An editor of this machine that may be checked. */
export interface CheckTarget {
  /** Says nothing of where its lock file is. */
  readonly id: string;
  readonly name: string;
  readonly port: number;
  /** Native, the home directory as `~`. */
  readonly folders: readonly string[];
  /** It is the one that idewire is for this folder. */
  readonly own: boolean;
}

/** What every page may ask. */
export interface SharedMethods {
  /** First, once: what was in the log follows, and from then on what happens. */
  "live/join": { params: Nothing; result: Joined };
  /** Makes an address that opens one more page, once, within a minute. */
  "live/link": { params: Nothing; result: { readonly url: string } };
  /** The editors of this machine that live now, the likeliest first. */
  "live/check-targets": { params: Nothing; result: { readonly targets: readonly CheckTarget[] } };
  /** Answered when all checks are done; each tells its result by `live/check-result`. */
  "live/check": {
    params: {
      /** Chosen by the page: the results carry it. */
      readonly run: number;
      readonly target: string;
      /** Also what shows a diff for a moment. */
      readonly destructive?: boolean;
      /** Leaves out what may freeze an editor. */
      readonly gentle?: boolean;
    };
    result: { readonly ok: boolean; readonly ms: number };
  };
  /** Ends the checks that run. */
  "live/check-stop": { params: Nothing; result: Nothing };
}

/** What the page of a folder may ask beside that. */
export interface FolderMethods {
  /** One command of the person's; its paths are relative to the folder. */
  "live/command": { params: PageCommand; result: CommandOutcome };
  /** Has the files listed by `live/files`. */
  "live/files": { params: Nothing; result: Nothing };
  /** Answered when all steps are done; each tells itself by `live/doctor-step`. */
  "live/doctor": { params: { readonly run: number }; result: DoctorReport };
}

/** What the page of an inspection may ask beside that. */
export interface InspectMethods {
  /** Sends a frame to the editor as it is; false when the editor is away. */
  "inspect/send": { params: { readonly frame: string }; result: { readonly sent: boolean } };
  /** Sends a request; `id` is what it has in the log. */
  "inspect/request": {
    params: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> };
    result: { readonly id: string; readonly sent: boolean };
  };
}

/** All that a page may ask, with the parameters and the result of each. */
export interface PageMethods extends SharedMethods, FolderMethods, InspectMethods {}

/** All that a page is sent, with the parameters of each. */
export interface PageEvents {
  /**
   * What happened, oldest first. It is a request: the next follows when the page has answered. The
   * newest facts of an inspection go with it.
   */
  "live/events": { readonly events: readonly TraceEvent[]; readonly inspection?: InspectionFacts };
  /** All that happened before the page joined has been sent. */
  "live/joined": Nothing;
  /** The files of the folder, relative to it; `cut` when there are more. */
  "live/files": { readonly files: readonly string[]; readonly cut: boolean };
  /** Something that the person has to know. */
  "live/notice": { readonly words: string };
  /** A file was changed on the disk while it has unsaved text. */
  "live/stale": { readonly path: string };
  /** One result, and the frames since the one before. */
  "live/check-result": {
    readonly run: number;
    readonly result: CheckResult;
    readonly events: readonly TraceEvent[];
  };
  /** One step out of `count`. */
  "live/doctor-step": { readonly run: number; readonly step: DoctorStep; readonly count: number };
}

/** What the page of a folder may ask. */
export type FolderPageMethod = keyof (SharedMethods & FolderMethods);

/** What the page of an inspection may ask. */
export type InspectPageMethod = keyof (SharedMethods & InspectMethods);

/** The name of a method. */
export type PageMethod = keyof PageMethods;

/** The name of an event. */
export type PageEvent = keyof PageEvents;
