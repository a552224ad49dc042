import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import type { Platform } from "../../paths/posix-path.ts";
import type { SelectionRange } from "../editor-host.ts";
import { countSchema, positionSchema } from "../model-schemas.ts";

// The state that an editor sends. Paths are native and absolute. Most members are optional, so that a
// simple editor needs few lines.

/** The version of the host protocol. */
export const HOST_PROTOCOL = 1;

/** The optional members of an editor; each is a request that it answers. */
export const hostMembers = [
  "read",
  "reveal",
  "select",
  "openDiff",
  "closeDiff",
  "diagnostics",
  "save",
  "format",
  "closeTab",
] as const;

export type HostMember = (typeof hostMembers)[number];

export interface WireFolder {
  readonly path: string;
  readonly name?: string;
}

export interface WireDocument {
  readonly path: string;
  readonly uri?: string;
  readonly languageId?: string;
  readonly dirty?: boolean;
  readonly untitled?: boolean;
  readonly active?: boolean;
  readonly visible?: boolean;
  readonly lastFocusedMs?: number;
  readonly label?: string;
}

export interface WireSelection {
  readonly path: string;
  readonly ranges: readonly SelectionRange[];
  readonly primary?: number;
}

/** The parts of the state, by the event that announces a change of each. */
export type StatePart = "workspace" | "documents" | "selection";

/** The present state; an absent member is unchanged. */
export interface HostState {
  readonly version?: number;
  readonly folders?: readonly WireFolder[];
  readonly trusted?: boolean;
  readonly documents?: readonly WireDocument[];
  readonly selection?: WireSelection | null;
  readonly focused?: boolean;
}

/** The first message of an editor. */
export interface HostHello {
  readonly protocol: typeof HOST_PROTOCOL;
  readonly name: string;
  readonly version?: string;
  readonly platform?: Platform;
  readonly members?: readonly HostMember[];
  readonly events?: readonly string[];
  readonly state: HostState;
}

const text = v.string();
const flag = v.boolean();

/** A native absolute path. */
export const pathSchema: v.GenericSchema<unknown, string> = exactly<string>()(
  v.pipe(text, v.description("Native and absolute")),
);

const folder = v.object({
  path: v.pipe(text, v.description("Native and absolute, without symbolic links")),
  name: v.exactOptional(v.pipe(text, v.description("By default the last segment of the path"))),
});

const document = v.object({
  path: pathSchema,
  uri: v.exactOptional(v.pipe(text, v.description("By default that of the path"))),
  languageId: v.exactOptional(v.pipe(text, v.description("As in LSP; by default plaintext"))),
  dirty: v.exactOptional(v.pipe(flag, v.description("Whether there is unsaved text"))),
  untitled: v.exactOptional(v.pipe(flag, v.description("Whether it was never saved"))),
  active: v.exactOptional(
    v.pipe(flag, v.description("Whether it has the focus; at most one document has it")),
  ),
  visible: v.exactOptional(v.pipe(flag, v.description("By default the same as active"))),
  lastFocusedMs: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0),
      // The maximum of a Date.
      v.maxValue(8.64e15),
      v.description("Milliseconds since 1970; by default 0"),
    ),
  ),
  label: v.exactOptional(
    v.pipe(text, v.description("The label of its tab; by default the file's name")),
  ),
});

const selection = v.object({
  path: pathSchema,
  ranges: v.pipe(
    v.array(
      v.object({
        start: positionSchema,
        end: positionSchema,
        text: v.pipe(text, v.description("The selected text; empty for a cursor")),
      }),
    ),
    v.minLength(1),
  ),
  primary: v.exactOptional(
    v.pipe(countSchema, v.description("The index of the primary range in ranges; by default 0")),
  ),
});

const state = v.object({
  version: v.exactOptional(
    v.pipe(
      countSchema,
      v.minValue(1),
      v.description(
        "Increases with each message; a state that is not newer is ignored. By default newer than all before",
      ),
    ),
  ),
  folders: v.exactOptional(v.array(folder)),
  trusted: v.exactOptional(
    v.pipe(flag, v.description("Whether the person trusts the folders; initially true")),
  ),
  documents: v.exactOptional(v.pipe(v.array(document), v.description("All open documents"))),
  selection: v.exactOptional(v.nullable(selection)),
  focused: v.exactOptional(
    v.pipe(
      flag,
      v.description("With selection: whether the editor has the focus; by default true"),
    ),
  ),
});

/** The parameters of `host/state`. */
export const stateSchema: v.GenericSchema<unknown, HostState> = exactly<HostState>()(state);

/** The parameters of `host/hello`. */
export const helloSchema: v.GenericSchema<unknown, HostHello> = exactly<HostHello>()(
  v.object({
    protocol: v.literal(HOST_PROTOCOL),
    name: v.pipe(text, v.minLength(1), v.maxLength(100), v.description("Its name to agents")),
    version: v.exactOptional(
      v.pipe(text, v.maxLength(100), v.description("The version of the editor")),
    ),
    platform: v.exactOptional(
      v.pipe(
        v.picklist(["posix", "windows"]),
        v.description("How it writes paths; by default like idewire's machine"),
      ),
    ),
    members: v.exactOptional(
      v.pipe(v.array(v.picklist(hostMembers)), v.description("The requests that it answers")),
    ),
    events: v.exactOptional(
      v.pipe(
        // An editor may list what only a newer idewire sends.
        v.array(text),
        v.description("The optional notifications that it receives: warning, written"),
      ),
    ),
    state,
  }),
);
