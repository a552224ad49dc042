import { type PosixPath, type ShareLevel, toPosixPath } from "@idewire/core";
import { exactly, shareLevels } from "@idewire/core/internal";
import * as v from "valibot";
import { platform } from "../../process/platform.ts";
import type { IdeEndpoint } from "../listen-options.ts";

// The messages between the processes of several editors on one folder, over the socket of the folder: a joining
// process sends `editors/join`, then serves its editor by the host protocol.

/** The version of these messages. */
export const JOIN_PROTOCOL = 1;

// From the process that joins.
export const Join = "editors/join";
export const Share = "editors/share";
export const Focus = "editors/focus";
export const Changed = "editors/changed";

// To it.
export const Facts = "editors/facts";
export const Written = "editors/written";
export const Unreviewed = "editors/unreviewed";
export const Warning = "editors/warning";

/** The share policy of an editor while it is active. */
export interface MemberShare {
  readonly level: ShareLevel;
  readonly exclude: readonly string[];
  /** The length in UTF-16 units to which selected text is truncated. */
  readonly maxTextLength: number;
}

export interface JoinRequest {
  readonly protocol: typeof JOIN_PROTOCOL;
  /** When the person was last in the editor, in milliseconds since 1970; 0 for never. */
  readonly focusedMs: number;
  /** Whether it sends `editors/changed`. */
  readonly watchesFiles: boolean;
  readonly share: MemberShare;
}

/** Files that other programs have written, as the editor has noticed; the paths are native. */
export interface ChangedFact {
  readonly paths: readonly string[];
}

/** A connected agent, for a process that does not have the connection. */
export interface SessionFacts {
  readonly id: string;
  readonly dialect: string;
  readonly agent?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly pid?: number;
  readonly title?: string;
  readonly continued: boolean;
  readonly ready: boolean;
  readonly takesMentions: boolean;
  readonly clientKind: string;
}

/** Where agents find the editors, and which are connected. */
export interface JoinFacts {
  /** The serving process. */
  readonly pid: number;
  readonly endpoints: readonly IdeEndpoint[];
  readonly sessions: readonly SessionFacts[];
}

/** As `AgentWrite`; the path is native. */
export interface WrittenFact {
  readonly path: string;
  readonly session?: string;
  readonly isReviewed: boolean;
  readonly isCertain: boolean;
  readonly turn: string;
}

/** As `UnreviewedWrites`; the paths are native. */
export interface UnreviewedFact {
  readonly paths: readonly string[];
  readonly session?: string;
  readonly isCertain: boolean;
}

export interface WarningFact {
  readonly code?: string;
  readonly message: string;
  readonly path?: string;
}

const text = v.string();
const flag = v.boolean();
const optional = v.exactOptional(text);
const whole = v.pipe(v.number(), v.safeInteger());

export const memberShare: v.GenericSchema<unknown, MemberShare> = exactly<MemberShare>()(
  v.object({
    level: v.picklist(shareLevels),
    exclude: v.array(text),
    maxTextLength: v.pipe(whole, v.minValue(0)),
  }),
);

export const joinRequest: v.GenericSchema<unknown, JoinRequest> = exactly<JoinRequest>()(
  v.object({
    protocol: v.literal(JOIN_PROTOCOL),
    focusedMs: v.pipe(v.number(), v.minValue(0)),
    watchesFiles: flag,
    share: memberShare,
  }),
);

export const changedFact: v.GenericSchema<unknown, ChangedFact> = exactly<ChangedFact>()(
  v.object({ paths: v.array(text) }),
);

const endpoint = v.object({
  dialect: text,
  kind: v.picklist(["web-socket", "http", "http-socket", "frames"]),
  port: v.exactOptional(whole),
  socketPath: optional,
  url: text,
  lockFile: optional,
  folders: v.array(text),
  asked: v.exactOptional(v.object({ agent: text, lastMs: v.number() })),
});

const session = v.object({
  id: text,
  dialect: text,
  agent: v.exactOptional(v.object({ name: text, version: text, title: optional })),
  pid: v.exactOptional(whole),
  title: optional,
  continued: flag,
  ready: flag,
  takesMentions: flag,
  clientKind: text,
});

export const joinFacts: v.GenericSchema<unknown, JoinFacts> = exactly<JoinFacts>()(
  v.object({ pid: whole, endpoints: v.array(endpoint), sessions: v.array(session) }),
);

export const writtenFact: v.GenericSchema<unknown, WrittenFact> = exactly<WrittenFact>()(
  v.object({ path: text, session: optional, isReviewed: flag, isCertain: flag, turn: text }),
);

export const unreviewedFact: v.GenericSchema<unknown, UnreviewedFact> = exactly<UnreviewedFact>()(
  v.object({ paths: v.array(text), session: optional, isCertain: flag }),
);

export const warningFact: v.GenericSchema<unknown, WarningFact> = exactly<WarningFact>()(
  v.object({ code: optional, message: text, path: optional }),
);

/** Those of the native paths of a message that are absolute. */
export function pathsOf(native: readonly string[]): readonly PosixPath[] {
  return native.flatMap((path) => {
    const read = toPosixPath(path, platform);
    return read.ok ? [read.value] : [];
  });
}
