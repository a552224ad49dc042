import { exactly } from "@idewire/core/internal";
import { type ToolInput, valibotInput } from "@idewire/core/server";
import * as v from "valibot";
import { scriptCommands } from "./commands.ts";
import type { ScriptEventName, ScriptLine } from "./events.ts";

const text = v.string();
const integer = v.pipe(v.number(), v.integer());
const params = v.record(v.string(), v.unknown());
const seq = v.pipe(v.number(), v.integer(), v.minValue(1));

function line<const E extends string, M extends v.ObjectEntries>(event: E, members: M) {
  return v.strictObject({ event: v.literal(event), seq, ...members });
}

/** The exact shape of each line of output. */
export const scriptEvents: { readonly [E in ScriptEventName]: ToolInput<ScriptLine<E>> } = {
  listening: valibotInput(
    exactly<ScriptLine<"listening">>()(
      line("listening", {
        port: integer,
        lockFile: text,
        page: v.exactOptional(v.pipe(text, v.description("opens the page once, within a minute"))),
      }),
    ),
  ),
  connected: valibotInput(exactly<ScriptLine<"connected">>()(line("connected", { session: text }))),
  disconnected: valibotInput(
    exactly<ScriptLine<"disconnected">>()(
      line("disconnected", {
        session: text,
        code: v.exactOptional(v.pipe(integer, v.description("WebSocket close code"))),
      }),
    ),
  ),
  initialized: valibotInput(
    exactly<ScriptLine<"initialized">>()(
      line("initialized", { session: text, agent: text, version: text }),
    ),
  ),
  request: valibotInput(
    exactly<ScriptLine<"request">>()(
      line("request", { session: text, method: text, tool: v.exactOptional(text), params }),
    ),
  ),
  notification: valibotInput(
    exactly<ScriptLine<"notification">>()(
      line("notification", { session: text, method: text, params }),
    ),
  ),
  "diff-opened": valibotInput(
    exactly<ScriptLine<"diff-opened">>()(
      line("diff-opened", {
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
      line("diff-closed", {
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
      line("unreviewed", {
        session: text,
        filePaths: v.pipe(v.array(text), v.description("Native and absolute")),
      }),
    ),
  ),
  done: valibotInput(exactly<ScriptLine<"done">>()(line("done", { do: text }))),
  unsupported: valibotInput(
    exactly<ScriptLine<"unsupported">>()(line("unsupported", { do: text })),
  ),
  error: valibotInput(
    exactly<ScriptLine<"error">>()(line("error", { do: v.exactOptional(text), message: text })),
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
