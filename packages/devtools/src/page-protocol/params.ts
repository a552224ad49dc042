import {
  editorCommandSchemas,
  exactly,
  isEditorVerb,
  isObject,
  MAX_FRAME_BYTES,
} from "@idewire/core/internal";
import * as v from "valibot";
import { commentParams, MAX_PATH_UNITS } from "./comment-schemas.ts";
import type { PageCommand, PageMethod, PageMethods } from "./methods.ts";

/** The longest text of a document that a page sends, in UTF-16 units; a longer one is not shown there. */
export const MAX_TEXT_UNITS: number = 4 * 1024 * 1024;

/** The longest text that is searched for in files, in UTF-16 units. */
export const MAX_QUERY_UNITS = 1_000;

const none = v.object({});
const run = v.number();
const record = v.custom<Readonly<Record<string, unknown>>>(isObject, "Expected an object");

/** The commands of a page. */
export const pageVerbs: readonly PageCommand["do"][] = Object.keys(editorCommandSchemas)
  .filter(isEditorVerb)
  .filter((verb) => verb !== "setDiagnostics");

/** Why a command exceeds the limits of a page; undefined if it does not. */
export function pageCommandIssue(command: PageCommand): string | undefined {
  if ("path" in command && (command.path.length === 0 || command.path.length > MAX_PATH_UNITS)) {
    return `path: expected 1 to ${MAX_PATH_UNITS} units, got ${command.path.length}`;
  }
  if (command.do !== "edit") return undefined;
  const units = Math.max(command.text.length, command.over?.length ?? 0);
  if (units <= MAX_TEXT_UNITS) return undefined;
  return `text: expected at most ${MAX_TEXT_UNITS} units, got ${units}`;
}

/** How the parameters of each method are checked. */
export const pageParams: {
  readonly [M in PageMethod]: v.GenericSchema<unknown, PageMethods[M]["params"]>;
} = {
  "live/join": none,
  "live/link": none,
  "live/check-targets": none,
  "live/check": exactly<PageMethods["live/check"]["params"]>()(
    v.object({
      run,
      target: v.string(),
      destructive: v.exactOptional(v.boolean()),
      gentle: v.exactOptional(v.boolean()),
    }),
  ),
  "live/check-stop": none,
  "live/files": none,
  "search/run": exactly<PageMethods["search/run"]["params"]>()(
    v.object({
      run,
      text: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_QUERY_UNITS)),
      matchCase: v.exactOptional(v.boolean()),
    }),
  ),
  "search/stop": none,
  "live/doctor": v.object({ run }),
  "changes/read": v.object({ id: v.string() }),
  "changes/decide": exactly<PageMethods["changes/decide"]["params"]>()(
    v.object({
      ...{ id: v.string(), version: v.number(), decision: v.picklist(["keep", "undo"]) },
      hunk: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
  ),
  "changes/undo-turn": v.object({ id: v.string() }),
  "changes/comment": exactly<PageMethods["changes/comment"]["params"]>()(
    v.object({
      id: v.string(),
      comments: v.pipe(
        v.array(
          v.object({
            line: v.pipe(v.number(), v.integer(), v.minValue(1)),
            endLine: v.pipe(v.number(), v.integer(), v.minValue(1)),
            text: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000)),
          }),
        ),
        v.minLength(1),
        v.maxLength(100),
      ),
    }),
  ),
  ...commentParams,
  "inspect/send": exactly<PageMethods["inspect/send"]["params"]>()(
    v.object({
      frame: v.pipe(v.string(), v.maxLength(MAX_FRAME_BYTES)),
      ch: v.exactOptional(v.string()),
    }),
  ),
  "inspect/request": exactly<PageMethods["inspect/request"]["params"]>()(
    v.object({
      server: v.string(),
      key: v.string(),
      method: v.string(),
      json: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_FRAME_BYTES))),
    }),
  ),
  "inspect/cancel": v.object({ server: v.string(), key: v.string() }),
  "inspect/answer": exactly<PageMethods["inspect/answer"]["params"]>()(
    v.object({ server: v.string(), question: run, result: v.exactOptional(record) }),
  ),
  "inspect/settings": exactly<PageMethods["inspect/settings"]["params"]>()(
    v.object({
      server: v.string(),
      roots: v.exactOptional(v.array(v.string())),
      level: v.exactOptional(v.string()),
      subscribe: v.exactOptional(v.object({ uri: v.string(), on: v.boolean() })),
    }),
  ),
  "inspect/connect": v.object({ server: v.string() }),
  "inspect/app": v.object({ server: v.string(), uri: v.string() }),
  "inspect/app-frame": v.object({
    ch: v.string(),
    dir: v.picklist(["agent>ide", "ide>agent"]),
    frame: v.pipe(v.string(), v.maxLength(MAX_FRAME_BYTES)),
  }),
  "inspect/app-close": v.object({ ch: v.string() }),
};
