import {
  editorCommandSchemas,
  exactly,
  isEditorVerb,
  isObject,
  MAX_FRAME_BYTES,
} from "@idewire/core/internal";
import * as v from "valibot";
import { commentParams } from "./comment-schemas.ts";
import type { PageCommand, PageMethod, PageMethods } from "./methods.ts";

/** The longest text of a document that a page sends, in UTF-16 units; a longer one is not shown there. */
export const MAX_TEXT_UNITS: number = 4 * 1024 * 1024;
const MAX_PATH_UNITS = 4_096;

const none = v.object({});
const run = v.number();

const verbs = Object.keys(editorCommandSchemas).filter(isPageVerb).join(", ");
const noCommand = v.custom<PageCommand>(() => false, `do: expected one of ${verbs}`);

/** Uses the schema of the command's own verb, so that an issue names the invalid member. */
const command = v.pipe(
  v.lazy((input): v.GenericSchema<unknown, PageCommand> => {
    const verb = isObject(input) ? input["do"] : undefined;
    return isPageVerb(verb) ? editorCommandSchemas[verb] : noCommand;
  }),
  v.check(hasShortPath, `path: expected 1 to ${MAX_PATH_UNITS} units`),
  v.check(hasShortTexts, `text: expected at most ${MAX_TEXT_UNITS} units`),
);

/** Whether a page may command it. */
function isPageVerb(verb: unknown): verb is PageCommand["do"] {
  return isEditorVerb(verb) && verb !== "setDiagnostics";
}

function hasShortPath(command: PageCommand): boolean {
  if (!("path" in command)) return true;
  return command.path.length > 0 && command.path.length <= MAX_PATH_UNITS;
}

function hasShortTexts(command: PageCommand): boolean {
  if (command.do !== "edit") return true;
  return Math.max(command.text.length, command.over?.length ?? 0) <= MAX_TEXT_UNITS;
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
  "live/command": command,
  "live/files": none,
  "live/doctor": v.object({ run }),
  ...commentParams,
  "inspect/send": v.object({ frame: v.pipe(v.string(), v.maxLength(MAX_FRAME_BYTES)) }),
  "inspect/request": v.object({
    method: v.string(),
    params: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
};
