import type { EditorCommand } from "@idewire/core";
import {
  type CompiledInput,
  compileInput,
  editorCommandInputs,
  exactly,
} from "@idewire/core/internal";
import * as v from "valibot";

/** Answers pending and later diffs. */
export interface DiffRule {
  readonly do: "diff";
  readonly answer: "accept" | "accept-edited" | "reject" | "close" | "wait";
  /** For `accept-edited`: the whole text. */
  readonly text?: string;
  /** For `accept-edited` without `text`: added to the proposal. */
  readonly suffix?: string;
}

/** Closes all connections. */
interface Drop {
  readonly do: "drop";
}

/** Stops the command. */
interface StopCommand {
  readonly do: "stop";
}

/** The commands of a script. Paths are native: absolute, or relative to the folder. */
export type ScriptCommand = EditorCommand<string> | DiffRule | Drop | StopCommand;

export type ScriptVerb = ScriptCommand["do"];

/** The shape of each command, and its JSON Schema. Unknown members are ignored. */
export const scriptCommands: {
  readonly [V in ScriptVerb]: CompiledInput<Extract<ScriptCommand, { readonly do: V }>>;
} = {
  ...editorCommandInputs(),
  diff: compileInput(
    "diff",
    exactly<DiffRule>()(
      v.object({
        do: v.literal("diff"),
        answer: v.picklist(["accept", "accept-edited", "reject", "close", "wait"]),
        text: v.exactOptional(v.pipe(v.string(), v.description("accept-edited: the whole text"))),
        suffix: v.exactOptional(
          v.pipe(v.string(), v.description("accept-edited without text: added to the proposal")),
        ),
      }),
    ),
  ),
  drop: compileInput("drop", exactly<Drop>()(v.object({ do: v.literal("drop") }))),
  stop: compileInput("stop", exactly<StopCommand>()(v.object({ do: v.literal("stop") }))),
};

/** Whether `verb` names a command. */
export function isScriptVerb(verb: unknown): verb is ScriptVerb {
  return typeof verb === "string" && Object.hasOwn(scriptCommands, verb);
}
