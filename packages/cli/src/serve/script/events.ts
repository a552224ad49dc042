import type { DiffOutcome } from "@idewire/core";
import type { DiffEndedBy } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { ListedEndpoint } from "@idewire/node-server/internal";

/** The members of each event's line, besides the event's name and `seq`. */
export interface ScriptEvents {
  /** Agents can find the folder; the first event. */
  listening: {
    /** The port of the WebSocket; absent, like its file, if no agent connects by one. */
    readonly port?: number;
    readonly lockFile?: string;
    /** Where the agents of other families connect. */
    readonly otherEndpoints?: readonly ListedEndpoint[];
    /** An address that opens the page of the folder once, within a minute. */
    readonly page?: string;
  };
  connected: { readonly session: string };
  /** `code` is a WebSocket close code. */
  disconnected: { readonly session: string; readonly code?: number };
  /** The agent has completed its handshake. */
  initialized: { readonly session: string; readonly agent: string; readonly version: string };
  /** A request of the agent; `tool` is the name of the called tool. */
  request: {
    readonly session: string;
    readonly method: string;
    readonly tool?: string;
    readonly params: Params;
  };
  notification: { readonly session: string; readonly method: string; readonly params: Params };
  "diff-opened": {
    readonly diff: string;
    readonly session: string;
    /** Native. */
    readonly filePath: string;
    readonly tabName: string;
    readonly proposed: string;
  };
  /** The file of a pending diff was written; `notes` are shown above it by other frontends. */
  "diff-changed": {
    readonly diff: string;
    readonly notes: readonly string[];
  };
  "diff-closed": {
    readonly diff: string;
    readonly outcome: DiffOutcome["kind"];
    /** The frontend that answered it, or why it was not answered. */
    readonly by: DiffEndedBy;
  };
  /**
   * These files were written without a review here; native paths. Without a session, several agents may
   * have written them; unless it is certain, so may another program.
   */
  unreviewed: {
    readonly session?: string;
    readonly certain: boolean;
    readonly filePaths: readonly string[];
  };
  /** A command was run. For a mention: the sessions that receive it, and those of agents that cannot. */
  done: {
    readonly do: string;
    readonly sessions?: readonly string[];
    readonly unable?: readonly string[];
  };
  /** There is no such command. */
  unsupported: { readonly do: string };
  /** A command could not be parsed or run; without `do` it was not recognised. */
  error: { readonly do?: string; readonly message: string };
}

export type ScriptEventName = keyof ScriptEvents;

type Flat<T> = { [K in keyof T]: T[K] };

/** A line of output, by event. `seq` starts at 1 and increases by 1. */
export type ScriptLine<E extends ScriptEventName> = Flat<
  { readonly event: E; readonly seq: number } & ScriptEvents[E]
>;

/** Writes a line; the writer adds `seq`. */
export type WriteEvent = <E extends ScriptEventName>(event: E, members: ScriptEvents[E]) => void;

/** Numbers events and writes each as a line's object. */
export function createEventWriter(write: (line: object) => void): WriteEvent {
  let seq = 0;
  return (event, members) => {
    seq += 1;
    write({ event, seq, ...members });
  };
}
