import { type CompiledInput, compileInput, exactly } from "@idewire/core/internal";
import * as v from "valibot";
import { scriptCommands } from "./commands.ts";
import type { ScriptEventName, ScriptLine } from "./events.ts";

const text = v.string();
const integer = v.pipe(v.number(), v.integer());
const params = v.record(v.string(), v.unknown());
const endpoint = v.strictObject({
  dialect: text,
  kind: v.picklist(["web-socket", "http", "http-socket", "frames"]),
  port: v.exactOptional(integer),
  socketPath: v.exactOptional(text),
  url: text,
  lockFile: v.exactOptional(text),
});
const seq = v.pipe(v.number(), v.integer(), v.minValue(1));

function line<const E extends string, M extends v.ObjectEntries>(event: E, members: M) {
  return v.strictObject({ event: v.literal(event), seq, ...members });
}

/** The exact shape of each line of output. */
export const scriptEvents: { readonly [E in ScriptEventName]: CompiledInput<ScriptLine<E>> } = {
  listening: compileInput(
    "listening",
    exactly<ScriptLine<"listening">>()(
      line("listening", {
        port: v.exactOptional(v.pipe(integer, v.description("Of a WebSocket"))),
        lockFile: v.exactOptional(text),
        otherEndpoints: v.exactOptional(
          v.pipe(v.array(endpoint), v.description("Where other families of agents connect")),
        ),
        page: v.exactOptional(v.pipe(text, v.description("opens the page once, within a minute"))),
      }),
    ),
  ),
  connected: compileInput(
    "connected",
    exactly<ScriptLine<"connected">>()(line("connected", { session: text })),
  ),
  disconnected: compileInput(
    "disconnected",
    exactly<ScriptLine<"disconnected">>()(
      line("disconnected", {
        session: text,
        code: v.exactOptional(v.pipe(integer, v.description("WebSocket close code"))),
      }),
    ),
  ),
  initialized: compileInput(
    "initialized",
    exactly<ScriptLine<"initialized">>()(
      line("initialized", { session: text, agent: text, version: text }),
    ),
  ),
  request: compileInput(
    "request",
    exactly<ScriptLine<"request">>()(
      line("request", { session: text, method: text, tool: v.exactOptional(text), params }),
    ),
  ),
  notification: compileInput(
    "notification",
    exactly<ScriptLine<"notification">>()(
      line("notification", { session: text, method: text, params }),
    ),
  ),
  "diff-opened": compileInput(
    "diff-opened",
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
  "diff-changed": compileInput(
    "diff-changed",
    exactly<ScriptLine<"diff-changed">>()(
      line("diff-changed", {
        diff: text,
        notes: v.pipe(v.array(text), v.description("What the person should know, in sentences")),
      }),
    ),
  ),
  "diff-closed": compileInput(
    "diff-closed",
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
  unreviewed: compileInput(
    "unreviewed",
    exactly<ScriptLine<"unreviewed">>()(
      line("unreviewed", {
        session: v.exactOptional(v.pipe(text, v.description("absent if several agents may be it"))),
        certain: v.pipe(
          v.boolean(),
          v.description("false if another program may have written them"),
        ),
        filePaths: v.pipe(v.array(text), v.description("Native and absolute")),
      }),
    ),
  ),
  done: compileInput(
    "done",
    exactly<ScriptLine<"done">>()(
      line("done", {
        do: text,
        sessions: v.exactOptional(
          v.pipe(v.array(text), v.description("Of a mention: the agents that receive it")),
        ),
        unable: v.exactOptional(
          v.pipe(v.array(text), v.description("Of a mention: the agents that cannot be sent one")),
        ),
      }),
    ),
  ),
  unsupported: compileInput(
    "unsupported",
    exactly<ScriptLine<"unsupported">>()(line("unsupported", { do: text })),
  ),
  error: compileInput(
    "error",
    exactly<ScriptLine<"error">>()(line("error", { do: v.exactOptional(text), message: text })),
  ),
};

/** JSON Schema (draft 2020-12) of one line of stdin. */
export const commandSchema: object = schemaOf("One line of stdin", scriptCommands);

/** JSON Schema (draft 2020-12) of one line of stdout. */
export const eventSchema: object = schemaOf("One line of stdout", scriptEvents);

function schemaOf(title: string, shapes: Readonly<Record<string, CompiledInput<unknown>>>): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    oneOf: Object.values(shapes).map(({ jsonSchema }) => jsonSchema),
  };
}
