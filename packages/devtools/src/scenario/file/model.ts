import type { Diagnostic, Range, ShareLevel } from "@idewire/core";

/** The profiles that a scenario may be played in. */
export type ScenarioDialect = "claude-code" | "seed-002" | "jetbrains" | "neovim";

/** What an editor may not support. */
export type Ability = "openDiff" | "diagnostics" | "reveal" | "select" | "save" | "closeTab";

/** How long things may take, in milliseconds, unless a scenario says otherwise. */
export const scenarioDefaults: {
  readonly withinMs: number;
  readonly connectWithinMs: number;
  readonly forMs: number;
} = { withinMs: 5_000, connectWithinMs: 30_000, forMs: 200 };

/** The first line of a scenario. Paths are relative to the workspace, with `/` between names. */
export interface ScenarioHeader {
  readonly idewire: "scenario/1";
  readonly name: string;
  readonly note?: string;
  /** `claude-code` when left out. */
  readonly dialect?: ScenarioDialect;
  /** The editor's name; `Simulated Editor` when left out. */
  readonly editor?: string;
  /** A folder that is copied to be the workspace, relative to the scenario's own. */
  readonly workspace?: string;
  /** Files of the workspace, in addition to those of the folder or in place of them. */
  readonly files?: Readonly<Record<string, string>>;
  /** `selection` when left out. */
  readonly share?: ShareLevel;
  /** What the editor does not support. */
  readonly without?: readonly Ability[];
  /** `wrong`: the token of the lock file is not accepted; `right` when left out. */
  readonly token?: "right" | "wrong";
  /** Names of other editors, each with its own folder, to which an agent must not connect. */
  readonly neighbours?: readonly string[];
  /** How long the agent has for each expectation, in milliseconds; 5,000 when left out. */
  readonly withinMs?: number;
  /** How long it has to connect, in milliseconds; 30,000 when left out. */
  readonly connectWithinMs?: number;
}

/** How the person answers a diff. */
export type PersonAnswer = "accept" | "accept-edited" | "reject" | "close" | "wait";

/** What the editor and the person do, by verb. Lines and characters count from 0. */
export interface ScenarioActions {
  /** Opens a document and gives it the focus. */
  open: ActionBase<"open"> & { readonly filePath: string };
  /** Closes a document; unsaved text is lost. */
  close: ActionBase<"close"> & { readonly filePath: string };
  /** Replaces the text of a document, without saving it. */
  edit: ActionBase<"edit"> & { readonly filePath: string; readonly text: string };
  /** Writes a file as another program does. */
  write: ActionBase<"write"> & { readonly filePath: string; readonly text: string };
  /** Selects a range; the text is the file's when left out. */
  select: ActionBase<"select"> & {
    readonly filePath: string;
    readonly selection: Range;
    readonly text?: string;
  };
  /** Selects nothing. */
  clear: ActionBase<"clear">;
  /** Sends a file, or its lines (both included), to the agents. */
  mention: ActionBase<"mention"> & {
    readonly filePath: string;
    readonly lineStart?: number;
    readonly lineEnd?: number;
  };
  /** Sets all diagnostics of a file: now, or once its text has changed. */
  diagnostics: ActionBase<"diagnostics"> & {
    readonly filePath: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly when?: "now" | "written";
  };
  /** How the person answers open and future diffs; of several rules that fit, the newest applies. */
  diff: ActionBase<"diff"> & {
    readonly answer: PersonAnswer;
    /** For `accept-edited`: the whole text. */
    readonly text?: string;
    /** For `accept-edited` without `text`: appended to the proposed text. */
    readonly suffix?: string;
    /** Only diffs of such a file; `*` stands for any text. */
    readonly filePath?: string;
    /** Only diffs with such a title; `*` stands for any text. */
    readonly title?: string;
    readonly afterMs?: number;
    /** How many diffs it applies to; all when left out. */
    readonly times?: number;
  };
  /** Delays the answers of a tool, or replaces them by errors. */
  answerTool: ActionBase<"answerTool"> & {
    readonly tool: string;
    /** A JSON-RPC error. */
    readonly error?: { readonly code: number; readonly message: string };
    /** A result with `isError`. */
    readonly failure?: string;
    readonly afterMs?: number;
    /** How many calls it applies to; all when left out. */
    readonly times?: number;
  };
  /** Sends any notification to all agents. */
  notify: ActionBase<"notify"> & {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  /** Cuts all connections. */
  drop: ActionBase<"drop">;
  /** Stops the editor and starts it again on the same port. */
  restart: ActionBase<"restart"> & {
    /** `same` when left out. */
    readonly token?: "same" | "new" | "wrong";
    /** How long it is down; 100 when left out. */
    readonly downMs?: number;
  };
  /** Waits. */
  wait: ActionBase<"wait"> & { readonly ms: number };
}

/** How many such messages are matched, and whether they must follow the last match. */
interface Occurrences {
  /** 1 when left out. */
  readonly times?: number;
  /** `any`: also before the last match; `after` when left out. */
  readonly order?: "after" | "any";
}

/** Patterns of parts of a value, by JSON pointer. */
type Pointers = Readonly<Record<string, unknown>>;

/** What the agent is expected to do, by kind. Values are patterns. */
export interface ScenarioExpectations {
  /** It connects with the token. */
  connected: ExpectationBase<"connected"> & { readonly editor?: string };
  /** It has sent `notifications/initialized`. */
  initialized: ExpectationBase<"initialized"> & { readonly agent?: unknown };
  /** It is ready for notifications. */
  ready: ExpectationBase<"ready">;
  disconnected: ExpectationBase<"disconnected"> & { readonly code?: number };
  /** It was refused because it lacked the token. */
  refused: ExpectationBase<"refused">;
  request: ExpectationBase<"request"> &
    Occurrences & { readonly method: string; readonly params?: unknown; readonly at?: Pointers };
  /** It calls a tool. */
  call: ExpectationBase<"call"> &
    Occurrences & { readonly tool: string; readonly arguments?: unknown; readonly at?: Pointers };
  notification: ExpectationBase<"notification"> &
    Occurrences & { readonly method: string; readonly params?: unknown; readonly at?: Pointers };
  /** No call other than those matched has come, or comes. */
  "no-call": QuietBase<"no-call"> & {
    readonly tool?: string;
    readonly arguments?: unknown;
    /** Tools that may be called nevertheless. */
    readonly except?: readonly string[];
  };
  /** No connection other than those matched has come, or comes. */
  "no-connection": QuietBase<"no-connection"> & { readonly editor?: string };
  /** A diff is shown, or has been closed. */
  diff: ExpectationBase<"diff"> & {
    readonly outcome: "shown" | "accepted" | "rejected" | "closed" | "cancelled";
    readonly filePath?: string;
    readonly title?: string;
  };
  /** A file has this text, or text like this, or exists, or does not. */
  file: ExpectationBase<"file"> & {
    readonly filePath: string;
    readonly text?: string;
    readonly like?: string;
    readonly exists?: boolean;
  };
  /** The agent's command ends. */
  exit: ExpectationBase<"exit"> & { readonly code?: number };
}

export type Verb = keyof ScenarioActions;
export type ExpectationKind = keyof ScenarioExpectations;
export type ActionStep = ScenarioActions[Verb];
export type ExpectationStep = ScenarioExpectations[ExpectationKind];
export type ScenarioStep = ActionStep | ExpectationStep;

/** A step and its line in the file, from 1. */
export interface NumberedStep {
  readonly line: number;
  readonly step: ScenarioStep;
}

/** An editor and a person by script, with what the agent is expected to do. */
export interface Scenario {
  readonly header: ScenarioHeader;
  readonly steps: readonly NumberedStep[];
}

interface ActionBase<V extends string> {
  readonly do: V;
  /** For the reader. */
  readonly note?: string;
}

interface ExpectationBase<K extends string> {
  readonly expect: K;
  /** How long the agent has; the header's value when left out. */
  readonly withinMs?: number;
  /** For the reader. */
  readonly note?: string;
}

interface QuietBase<K extends string> {
  readonly expect: K;
  /** How long nothing may come; 200 when left out. */
  readonly forMs?: number;
  /** For the reader. */
  readonly note?: string;
}
