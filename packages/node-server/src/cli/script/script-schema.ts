import { exactly, type ToolInput, valibotInput } from "@idewire/core";
import * as v from "valibot";
import { scriptCommands } from "./commands.ts";
import type { ScriptEventName, ScriptLine } from "./events.ts";

const text = v.string();
const integer = v.pipe(v.number(), v.integer());
const params = v.record(v.string(), v.unknown());
const seq = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The shape of each line of output, to the letter. */
export const scriptEvents: { readonly [E in ScriptEventName]: ToolInput<ScriptLine<E>> } = {
  listening: valibotInput(
    exactly<ScriptLine<"listening">>()(
      v.strictObject({
        event: v.literal("listening"),
        seq,
        port: integer,
        lockFile: text,
        page: v.exactOptional(v.pipe(text, v.description("opens the page once, within a minute"))),
      }),
    ),
  ),
  connected: valibotInput(
    exactly<ScriptLine<"connected">>()(
      v.strictObject({ event: v.literal("connected"), seq, session: text }),
    ),
  ),
  disconnected: valibotInput(
    exactly<ScriptLine<"disconnected">>()(
      v.strictObject({
        event: v.literal("disconnected"),
        seq,
        session: text,
        code: v.exactOptional(v.pipe(integer, v.description("WebSocket close code"))),
      }),
    ),
  ),
  initialized: valibotInput(
    exactly<ScriptLine<"initialized">>()(
      v.strictObject({
        event: v.literal("initialized"),
        seq,
        session: text,
        agent: text,
        version: text,
      }),
    ),
  ),
  request: valibotInput(
    exactly<ScriptLine<"request">>()(
      v.strictObject({
        event: v.literal("request"),
        seq,
        session: text,
        method: text,
        tool: v.exactOptional(text),
        params,
      }),
    ),
  ),
  notification: valibotInput(
    exactly<ScriptLine<"notification">>()(
      v.strictObject({
        event: v.literal("notification"),
        seq,
        session: text,
        method: text,
        params,
      }),
    ),
  ),
  "diff-opened": valibotInput(
    exactly<ScriptLine<"diff-opened">>()(
      v.strictObject({
        event: v.literal("diff-opened"),
        seq,
        diff: text,
        session: text,
        filePath: v.pipe(text, v.description("Native and absolute")),
        tabName: text,
        proposed: text,
      }),
    ),
  ),
  "diff-closed": valibotInput(
    exactly<ScriptLine<"diff-closed">>()(
      v.strictObject({
        event: v.literal("diff-closed"),
        seq,
        diff: text,
        outcome: v.picklist(["accepted", "rejected", "closed", "cancelled"]),
        by: v.picklist([
          "terminal",
          "page",
          "script",
          "editor",
          "answered-elsewhere",
          "session-gone",
          "asked",
          "editor-closed",
        ]),
      }),
    ),
  ),
  unreviewed: valibotInput(
    exactly<ScriptLine<"unreviewed">>()(
      v.strictObject({
        event: v.literal("unreviewed"),
        seq,
        session: text,
        filePaths: v.pipe(v.array(text), v.description("Native and absolute")),
      }),
    ),
  ),
  done: valibotInput(
    exactly<ScriptLine<"done">>()(v.strictObject({ event: v.literal("done"), seq, do: text })),
  ),
  unsupported: valibotInput(
    exactly<ScriptLine<"unsupported">>()(
      v.strictObject({ event: v.literal("unsupported"), seq, do: text }),
    ),
  ),
  error: valibotInput(
    exactly<ScriptLine<"error">>()(
      v.strictObject({
        event: v.literal("error"),
        seq,
        do: v.exactOptional(text),
        message: text,
      }),
    ),
  ),
};

/** JSON Schema (draft 2020-12) of one line of stdin. */
export const commandSchema: object = schemaOf("One line of stdin", scriptCommands);

/** JSON Schema (draft 2020-12) of one line of stdout. */
export const eventSchema: object = schemaOf("One line of stdout", scriptEvents);

function schemaOf(title: string, shapes: Readonly<Record<string, ToolInput<unknown>>>): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    oneOf: Object.values(shapes).map(({ jsonSchema }) => jsonSchema),
  };
}
