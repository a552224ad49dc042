import { exactly } from "@idewire/core";
import * as v from "valibot";
import type { ScenarioActions, ScenarioExpectations, ScenarioHeader } from "./model.ts";

// Every validation has words of its own: they follow "expected".

const MAX_WAIT_MS = 86_400_000;

const text = v.string();
const flag = v.boolean();
const count = v.pipe(
  v.number(),
  v.integer("a whole number from 0"),
  v.minValue(0, "a whole number from 0"),
);
const times = v.pipe(
  v.number(),
  v.integer("a whole number from 1 to 10000"),
  v.minValue(1, "a whole number from 1 to 10000"),
  v.maxValue(10_000, "a whole number from 1 to 10000"),
);
const milliseconds = v.pipe(
  v.number(),
  v.minValue(0, `a number from 0 to ${MAX_WAIT_MS}`),
  v.maxValue(MAX_WAIT_MS, `a number from 0 to ${MAX_WAIT_MS}`),
);
const named = v.pipe(
  text,
  v.minLength(1, "1 to 200 characters"),
  v.maxLength(200, "1 to 200 characters"),
);
const filePath = v.pipe(
  text,
  v.regex(
    /^(?!\.{1,2}(?:\/|$))[^/\\:\0]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\0]+)*$/,
    "a path inside the workspace, such as src/main.ts",
  ),
  v.description("Relative to the workspace, with / between names"),
);
const like = v.pipe(text, v.description("* stands for anything"));
const pattern = v.pipe(v.unknown(), v.description("A pattern: see docs/scenarios.md"));
const at = v.exactOptional(
  v.pipe(
    v.record(
      v.pipe(text, v.regex(/^\/(?:[^~]|~[01])*$/, "a JSON pointer, such as /edits/0/path")),
      pattern,
    ),
    v.description("Parts by JSON pointer, each with its pattern"),
  ),
);

const position = v.strictObject({ line: count, character: count });
const range = v.strictObject({ start: position, end: position });
const diagnostic = v.strictObject({
  message: text,
  severity: v.picklist(["error", "warning", "information", "hint"]),
  range,
  source: v.exactOptional(text),
  code: v.exactOptional(v.union([text, v.number()])),
});

const note = v.exactOptional(v.pipe(text, v.description("For the reader")));
const lasting = {
  withinMs: v.exactOptional(
    v.pipe(milliseconds, v.description("How long the agent has; the header's when left out")),
  ),
  note,
};
const quiet = {
  forMs: v.exactOptional(
    v.pipe(milliseconds, v.description("For how long nothing may come; 200 when left out")),
  ),
  note,
};
const taking = {
  at,
  times: v.exactOptional(v.pipe(times, v.description("So many of them; 1 when left out"))),
  order: v.exactOptional(
    v.pipe(
      v.picklist(["after", "any"]),
      v.description("any: also before what was taken before; after when left out"),
    ),
  ),
  ...lasting,
};

/** The shape of the first line. */
export const headerSchema: v.GenericSchema<unknown, ScenarioHeader> = exactly<ScenarioHeader>()(
  v.strictObject({
    idewire: v.literal("scenario/1"),
    name: named,
    note,
    dialect: v.exactOptional(v.picklist(["claude-code", "seed-002", "jetbrains", "neovim"])),
    editor: v.exactOptional(named),
    workspace: v.exactOptional(
      v.pipe(named, v.description("A folder to copy, relative to the scenario's own")),
    ),
    files: v.exactOptional(v.record(filePath, text)),
    share: v.exactOptional(v.picklist(["off", "path", "selection", "all"])),
    without: v.exactOptional(
      v.array(v.picklist(["openDiff", "diagnostics", "reveal", "select", "save", "closeTab"])),
    ),
    token: v.exactOptional(v.picklist(["right", "wrong"])),
    neighbours: v.exactOptional(v.pipe(v.array(named), v.maxLength(8, "at most 8 other editors"))),
    withinMs: v.exactOptional(milliseconds),
    connectWithinMs: v.exactOptional(milliseconds),
  }),
);

type Schemas<Shapes> = { readonly [K in keyof Shapes]: v.GenericSchema<unknown, Shapes[K]> };

/** The shape of each gesture. */
export const actionSchemas: Schemas<ScenarioActions> = {
  open: exactly<ScenarioActions["open"]>()(
    v.strictObject({ do: v.literal("open"), filePath, note }),
  ),
  close: exactly<ScenarioActions["close"]>()(
    v.strictObject({ do: v.literal("close"), filePath, note }),
  ),
  edit: exactly<ScenarioActions["edit"]>()(
    v.strictObject({ do: v.literal("edit"), filePath, text, note }),
  ),
  write: exactly<ScenarioActions["write"]>()(
    v.strictObject({ do: v.literal("write"), filePath, text, note }),
  ),
  select: exactly<ScenarioActions["select"]>()(
    v.strictObject({
      do: v.literal("select"),
      filePath,
      selection: v.pipe(range, v.description("From 0, UTF-16 units, end not included")),
      text: v.exactOptional(text),
      note,
    }),
  ),
  clear: exactly<ScenarioActions["clear"]>()(v.strictObject({ do: v.literal("clear"), note })),
  mention: exactly<ScenarioActions["mention"]>()(
    v.strictObject({
      do: v.literal("mention"),
      filePath,
      lineStart: v.exactOptional(count),
      lineEnd: v.exactOptional(count),
      note,
    }),
  ),
  diagnostics: exactly<ScenarioActions["diagnostics"]>()(
    v.strictObject({
      do: v.literal("diagnostics"),
      filePath,
      diagnostics: v.array(diagnostic),
      when: v.exactOptional(v.picklist(["now", "written"])),
      note,
    }),
  ),
  diff: exactly<ScenarioActions["diff"]>()(
    v.strictObject({
      do: v.literal("diff"),
      answer: v.picklist(["accept", "accept-edited", "reject", "close", "wait"]),
      text: v.exactOptional(text),
      suffix: v.exactOptional(text),
      filePath: v.exactOptional(like),
      title: v.exactOptional(like),
      afterMs: v.exactOptional(milliseconds),
      times: v.exactOptional(times),
      note,
    }),
  ),
  answerTool: exactly<ScenarioActions["answerTool"]>()(
    v.strictObject({
      do: v.literal("answerTool"),
      tool: named,
      error: v.exactOptional(
        v.strictObject({ code: v.pipe(v.number(), v.integer("a whole number")), message: text }),
      ),
      failure: v.exactOptional(text),
      afterMs: v.exactOptional(milliseconds),
      times: v.exactOptional(times),
      note,
    }),
  ),
  notify: exactly<ScenarioActions["notify"]>()(
    v.strictObject({
      do: v.literal("notify"),
      method: named,
      params: v.exactOptional(v.record(text, v.unknown())),
      note,
    }),
  ),
  drop: exactly<ScenarioActions["drop"]>()(v.strictObject({ do: v.literal("drop"), note })),
  restart: exactly<ScenarioActions["restart"]>()(
    v.strictObject({
      do: v.literal("restart"),
      token: v.exactOptional(v.picklist(["same", "new", "wrong"])),
      downMs: v.exactOptional(milliseconds),
      note,
    }),
  ),
  wait: exactly<ScenarioActions["wait"]>()(
    v.strictObject({ do: v.literal("wait"), ms: milliseconds, note }),
  ),
};

/** The shape of each expectation. */
export const expectationSchemas: Schemas<ScenarioExpectations> = {
  connected: exactly<ScenarioExpectations["connected"]>()(
    v.strictObject({
      expect: v.literal("connected"),
      editor: v.exactOptional(like),
      ...lasting,
    }),
  ),
  initialized: exactly<ScenarioExpectations["initialized"]>()(
    v.strictObject({
      expect: v.literal("initialized"),
      agent: v.exactOptional(pattern),
      ...lasting,
    }),
  ),
  ready: exactly<ScenarioExpectations["ready"]>()(
    v.strictObject({ expect: v.literal("ready"), ...lasting }),
  ),
  disconnected: exactly<ScenarioExpectations["disconnected"]>()(
    v.strictObject({ expect: v.literal("disconnected"), code: v.exactOptional(count), ...lasting }),
  ),
  refused: exactly<ScenarioExpectations["refused"]>()(
    v.strictObject({ expect: v.literal("refused"), ...lasting }),
  ),
  request: exactly<ScenarioExpectations["request"]>()(
    v.strictObject({
      expect: v.literal("request"),
      method: named,
      params: v.exactOptional(pattern),
      ...taking,
    }),
  ),
  call: exactly<ScenarioExpectations["call"]>()(
    v.strictObject({
      expect: v.literal("call"),
      tool: named,
      arguments: v.exactOptional(pattern),
      ...taking,
    }),
  ),
  notification: exactly<ScenarioExpectations["notification"]>()(
    v.strictObject({
      expect: v.literal("notification"),
      method: named,
      params: v.exactOptional(pattern),
      ...taking,
    }),
  ),
  "no-call": exactly<ScenarioExpectations["no-call"]>()(
    v.strictObject({
      expect: v.literal("no-call"),
      tool: v.exactOptional(named),
      arguments: v.exactOptional(pattern),
      except: v.exactOptional(v.array(named)),
      ...quiet,
    }),
  ),
  "no-connection": exactly<ScenarioExpectations["no-connection"]>()(
    v.strictObject({
      expect: v.literal("no-connection"),
      editor: v.exactOptional(like),
      ...quiet,
    }),
  ),
  diff: exactly<ScenarioExpectations["diff"]>()(
    v.strictObject({
      expect: v.literal("diff"),
      outcome: v.picklist(["shown", "accepted", "rejected", "closed", "cancelled"]),
      filePath: v.exactOptional(like),
      title: v.exactOptional(like),
      ...lasting,
    }),
  ),
  file: exactly<ScenarioExpectations["file"]>()(
    v.strictObject({
      expect: v.literal("file"),
      filePath,
      text: v.exactOptional(text),
      like: v.exactOptional(like),
      exists: v.exactOptional(flag),
      ...lasting,
    }),
  ),
  exit: exactly<ScenarioExpectations["exit"]>()(
    v.strictObject({ expect: v.literal("exit"), code: v.exactOptional(count), ...lasting }),
  ),
};
