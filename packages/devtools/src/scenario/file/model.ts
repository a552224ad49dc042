import type { Diagnostic, Range, ShareLevel } from "@idewire/core";
import type { DiffId, EditorCommandMembers, LegacyRevision } from "@idewire/core/internal";
import type { PageCommentTag } from "../../page-comment-tags.ts";
import type { FaultPlan } from "../../trace/faults/fault.ts";
import type { Direction, TraceFact } from "../../trace/format/trace-event.ts";

/** The profiles that a scenario may be played in. */
export type ScenarioDialect = "claude-code" | "claude-code-spec" | "jetbrains" | "neovim";

/** What an editor may not support. */
export type Ability = "openDiff" | "diagnostics" | "reveal" | "select" | "save" | "closeTab";

/** The default times, in milliseconds. */
export const scenarioDefaults: {
  readonly withinMs: number;
  readonly connectWithinMs: number;
  readonly forMs: number;
} = { withinMs: 5_000, connectWithinMs: 30_000, forMs: 200 };

/** The first line of a scenario. Paths are relative to the workspace, with `/` between names. */
export interface ScenarioHeader {
  readonly idewire: "scenario/1";
  readonly name: string;
  /** What it shows, in a sentence. */
  readonly note?: string;
  /** `claude-code` when left out. */
  readonly dialect?: ScenarioDialect;
  /** The editor's name; `Simulated Editor` when left out. */
  readonly editor?: string;
  /** A folder that is copied to be the workspace, relative to the scenario's own. */
  readonly workspace?: string;
  /** The path of the workspace of a simulation, if it matters; it may be a Windows path. */
  readonly folder?: string;
  /** Files of the workspace, in addition to those of the folder or in place of them. */
  readonly files?: Readonly<Record<string, string | RepeatedLine>>;
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

/** A long text in few characters: a repeated line, each with its line end, then an empty line. */
export interface RepeatedLine {
  readonly line: string;
  readonly times: number;
}

/** A text as a change of the current one: the first occurrence of `find` is replaced. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
}

/** A range by the texts at its ends: from the start of `from` to the end of the first `to` after it. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

/** The person's commands as core defines them; texts and ranges may be relative to the current text. */
export interface ScenarioCommands
  extends Omit<EditorCommandMembers<string>, "edit" | "select" | "answerDiff"> {
  edit: Omit<EditorCommandMembers<string>["edit"], "text"> & { readonly text: string | TextEdit };
  select: Omit<EditorCommandMembers<string>["select"], "range"> & {
    readonly range: Range | TextRange;
  };
  answerDiff: {
    /** The oldest pending diff when left out. */
    readonly id?: DiffId;
    readonly answer:
      | {
          readonly kind: "accepted";
          /** The proposed text when left out. */
          readonly text?: string | TextEdit;
        }
      | { readonly kind: "rejected"; readonly comments?: string }
      | { readonly kind: "closed" };
  };
}

/** How the person answers a diff. */
export type PersonAnswer = "accept" | "accept-edited" | "reject" | "close" | "wait";

/** Actions of the person, the editor and their surroundings, by verb. Positions count from 0. */
export interface ScenarioActions extends ScenarioCommands {
  /** Writes a file as another program does. */
  write: { readonly path: string; readonly text: string };
  /** Sets all diagnostics of a file: now, or once its text has changed. */
  diagnostics: {
    readonly path: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly when?: "now" | "written";
  };
  /** How the person answers pending and future diffs; of several rules that match, the newest applies. */
  diff: {
    readonly answer: PersonAnswer;
    /** For `accept-edited`: the whole text. */
    readonly text?: string;
    /** For `accept-edited` without `text`: appended to the proposed text. */
    readonly suffix?: string;
    /** For `reject`: the person's comments, for the agent. */
    readonly comments?: string;
    /** Only diffs of such a file; `*` stands for any text. */
    readonly path?: string;
    /** Only diffs with such a title; `*` stands for any text. */
    readonly title?: string;
    readonly afterMs?: number;
    /** How many diffs it applies to; all when left out. */
    readonly times?: number;
  };
  /** Delays the answers of a tool, or replaces them by errors. */
  answerTool: {
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
  notify: {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  /** Closes all connections. */
  drop: Record<never, never>;
  /** Stops the editor and starts it again on the same port. */
  restart: {
    /** `same` when left out. */
    readonly token?: "same" | "new" | "wrong";
    /** How long it is down; 100 when left out. */
    readonly downMs?: number;
  };
  /** Waits. */
  wait: { readonly ms: number };
  /** Comments on the first line that contains `on`. */
  comment: {
    readonly path: string;
    readonly on: string;
    readonly tag: PageCommentTag;
    readonly text: string;
  };
  /** Injects faults into the frames of a simulation; null for none. */
  faults: { readonly plan: FaultPlan | null };
  /** Sends a frame of a simulation that neither end wrote. */
  send: { readonly dir: Direction; readonly raw: string };
  /** Closes the editor of a simulation. */
  closeEditor: Record<never, never>;
  /** Adds an event to the trace. */
  log: { readonly event: TraceFact };
}

/** Actions of a simulated agent; a step does not wait for their end. */
export interface ScenarioAgentActions {
  connect: {
    /** The newest legacy revision when left out. */
    readonly protocolVersion?: LegacyRevision;
    /** With a token other than the editor's. */
    readonly wrongToken?: boolean;
  };
  disconnect: { readonly code?: number };
  /** Proposes a text for a file by `openDiff`, and writes it once it is accepted. */
  propose: { readonly path: string; readonly text: string | TextEdit };
  /** The person answers the newest proposal in the agent's terminal. */
  terminal: { readonly accept: boolean };
  call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
  request: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> };
}

/** The number of messages to match, and whether they must follow the last match. */
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
  /** No call other than the matched ones has arrived, or arrives. */
  "no-call": QuietBase<"no-call"> & {
    readonly tool?: string;
    readonly arguments?: unknown;
    /** Tools that may be called nevertheless. */
    readonly except?: readonly string[];
  };
  /** No connection other than the matched ones has been opened, or is opened. */
  "no-connection": QuietBase<"no-connection"> & { readonly editor?: string };
  /** A diff is shown, or has been closed. */
  diff: ExpectationBase<"diff"> & {
    readonly outcome: "shown" | "accepted" | "rejected" | "closed" | "cancelled";
    readonly path?: string;
    readonly title?: string;
  };
  /** A file has this text, or text like this, or exists, or does not. */
  file: ExpectationBase<"file"> & {
    readonly path: string;
    readonly text?: string;
    readonly like?: string;
    readonly exists?: boolean;
  };
  /** All frames so far, in both directions, in order: direction, kind, method and tool of each. */
  frames: QuietBase<"frames"> & {
    readonly frames: readonly string[];
    readonly withinMs?: number;
  };
  /** The agent's command ends. */
  exit: ExpectationBase<"exit"> & { readonly code?: number };
}

/** The name of an action. */
export type Verb = keyof ScenarioActions;
/** The name of an action of a simulated agent. */
export type AgentVerb = keyof ScenarioAgentActions;
export type ExpectationKind = keyof ScenarioExpectations;

/** A step of an action. */
export type ActionOf<V extends Verb> = { readonly do: V } & ScenarioActions[V] & Noted;
/** A step of a simulated agent. */
export type AgentActionOf<V extends AgentVerb> = {
  readonly agent: V;
} & ScenarioAgentActions[V] &
  Noted;

export type ActionStep = { [V in Verb]: ActionOf<V> }[Verb];
export type AgentStep = { [V in AgentVerb]: AgentActionOf<V> }[AgentVerb];
export type ExpectationStep = ScenarioExpectations[ExpectationKind];
export type ScenarioStep = ActionStep | AgentStep | ExpectationStep;

/** A step and its line in the file, from 1. */
export interface NumberedStep {
  readonly line: number;
  readonly step: ScenarioStep;
}

/** An editor, a person and perhaps an agent by script, with what the agent is expected to do. */
export interface Scenario {
  readonly header: ScenarioHeader;
  readonly steps: readonly NumberedStep[];
}

interface Noted {
  /** For the reader; a caption where the scenario is shown. */
  readonly note?: string;
}

interface ExpectationBase<K extends string> extends Noted {
  readonly expect: K;
  /** How long the agent has; the header's value when left out. */
  readonly withinMs?: number;
}

interface QuietBase<K extends string> extends Noted {
  readonly expect: K;
  /** How long nothing may come; 200 when left out. */
  readonly forMs?: number;
}

/** The texts of a scenario's files. */
export function scenarioFiles({ files = {} }: ScenarioHeader): Readonly<Record<string, string>> {
  const texts = Object.entries(files).map(([path, text]): [string, string] => [
    path,
    typeof text === "string" ? text : `${`${text.line}\n`.repeat(text.times)}\n`,
  ]);
  return Object.fromEntries(texts);
}
