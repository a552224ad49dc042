import type { Diagnostic, Range, ShareLevel } from "@idewire/core";

/** The profiles that a scenario may be played in. */
export type ScenarioDialect = "claude-code" | "seed-002" | "jetbrains" | "neovim";

/** What an editor may lack. */
export type Ability = "openDiff" | "diagnostics" | "reveal" | "select" | "save" | "closeTab";

/** How long things may take where a scenario does not say. */
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
  /** What the editor is called; `Simulated Editor` when left out. */
  readonly editor?: string;
  /** A folder that is copied to be the workspace, relative to the scenario's own. */
  readonly workspace?: string;
  /** Files of the workspace, over those of the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** `selection` when left out. */
  readonly share?: ShareLevel;
  /** Abilities that the editor lacks. */
  readonly without?: readonly Ability[];
  /** `wrong`: what the lock file says is not the token; `right` when left out. */
  readonly token?: "right" | "wrong";
  /** Other editors, each with a folder of its own, that an agent has to leave alone. */
  readonly neighbours?: readonly string[];
  /** 5,000: how long the agent has for what is expected. */
  readonly withinMs?: number;
  /** 30,000: how long it has to connect. */
  readonly connectWithinMs?: number;
}

/** How the person answers a proposal. */
export type PersonAnswer = "accept" | "accept-edited" | "reject" | "close" | "wait";

/** What the editor and the person do, by verb. Lines and characters count from 0. */
export interface ScenarioActions {
  /** Opens a document and gives it the focus. */
  open: ActionBase<"open"> & { readonly filePath: string };
  /** Closes a document; unsaved text is lost. */
  close: ActionBase<"close"> & { readonly filePath: string };
  /** Types: the document has this text, not saved. */
  edit: ActionBase<"edit"> & { readonly filePath: string; readonly text: string };
  /** Somebody else writes a file. */
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
  /** All that is wrong with a file: now, or from when its text is another. */
  diagnostics: ActionBase<"diagnostics"> & {
    readonly filePath: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly when?: "now" | "written";
  };
  /** How the person answers proposals that wait and that come; of several rules the latest counts. */
  diff: ActionBase<"diff"> & {
    readonly answer: PersonAnswer;
    /** For `accept-edited`: the whole text. */
    readonly text?: string;
    /** For `accept-edited` without `text`: added to the proposal. */
    readonly suffix?: string;
    /** Only proposals for such a file; `*` stands for anything. */
    readonly filePath?: string;
    /** Only proposals with such a title; `*` stands for anything. */
    readonly title?: string;
    readonly afterMs?: number;
    /** For so many proposals; for all when left out. */
    readonly times?: number;
  };
  /** What calls of a tool get from now on, in place of its own answer or later. */
  answerTool: ActionBase<"answerTool"> & {
    readonly tool: string;
    /** A JSON-RPC error. */
    readonly error?: { readonly code: number; readonly message: string };
    /** A result with `isError`. */
    readonly failure?: string;
    readonly afterMs?: number;
    /** For so many calls; for all when left out. */
    readonly times?: number;
  };
  /** Sends a notification of any kind. */
  notify: ActionBase<"notify"> & {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  /** Cuts all connections. */
  drop: ActionBase<"drop">;
  /** Goes away and comes back on the same port. */
  restart: ActionBase<"restart"> & {
    /** `same` when left out. */
    readonly token?: "same" | "new" | "wrong";
    /** 100: how long it is away. */
    readonly downMs?: number;
  };
  /** Does nothing for a while. */
  wait: ActionBase<"wait"> & { readonly ms: number };
}

/** How many of such messages are taken, and whether they stand after what was taken before. */
interface Occurrences {
  /** 1 when left out. */
  readonly times?: number;
  /** `any`: also before what was taken before; `after` when left out. */
  readonly order?: "after" | "any";
}

/** Parts of a value, by JSON pointer, each with its pattern. */
type Pointers = Readonly<Record<string, unknown>>;

/** What the agent is expected to do, by kind. Values are patterns. */
export interface ScenarioExpectations {
  /** It connects, with the token. */
  connected: ExpectationBase<"connected"> & { readonly editor?: string };
  /** It has said `notifications/initialized`. */
  initialized: ExpectationBase<"initialized"> & { readonly agent?: unknown };
  /** It hears notifications by now. */
  ready: ExpectationBase<"ready">;
  disconnected: ExpectationBase<"disconnected"> & { readonly code?: number };
  /** It was turned away for want of the token. */
  refused: ExpectationBase<"refused">;
  request: ExpectationBase<"request"> &
    Occurrences & { readonly method: string; readonly params?: unknown; readonly at?: Pointers };
  /** It calls a tool. */
  call: ExpectationBase<"call"> &
    Occurrences & { readonly tool: string; readonly arguments?: unknown; readonly at?: Pointers };
  notification: ExpectationBase<"notification"> &
    Occurrences & { readonly method: string; readonly params?: unknown; readonly at?: Pointers };
  /** No call, beside those that were taken, has come or comes. */
  "no-call": QuietBase<"no-call"> & {
    readonly tool?: string;
    readonly arguments?: unknown;
    /** Tools that may be called all the same. */
    readonly except?: readonly string[];
  };
  /** Nobody has connected, beside those that were taken, or connects. */
  "no-connection": QuietBase<"no-connection"> & { readonly editor?: string };
  /** A proposal is shown, or has come to an end. */
  diff: ExpectationBase<"diff"> & {
    readonly outcome: "shown" | "accepted" | "rejected" | "closed" | "cancelled";
    readonly filePath?: string;
    readonly title?: string;
  };
  /** A file has this text, or text like this, or is there, or is not. */
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

/** A step, and the line of the file that says it. */
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
  /** How long it has; the header's when left out. */
  readonly withinMs?: number;
  /** For the reader. */
  readonly note?: string;
}

interface QuietBase<K extends string> {
  readonly expect: K;
  /** 200: for how long nothing may come. */
  readonly forMs?: number;
  /** For the reader. */
  readonly note?: string;
}
