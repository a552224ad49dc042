import {
  type EditorVerb,
  editorCommandSchemas,
  exactly,
  type LegacyRevision,
  legacyRevisions,
} from "@idewire/core/internal";
import * as v from "valibot";
import { membersOf, type SchemasOf } from "../../members-of.ts";
import { pageCommentTags } from "../../page-comment-tags.ts";
import { faultPlanSchema } from "../../trace/faults/fault.ts";
import { factSchema } from "../../trace/format/trace-fact.ts";
import type {
  ActionOf,
  AgentActionOf,
  AgentVerb,
  ExpectationKind,
  ScenarioExpectations,
  ScenarioHeader,
  Verb,
} from "./model.ts";

// The message of each validation follows "expected".

const MAX_WAIT_MS = 86_400_000;

const text = v.string();
const fromZero = "a whole number from 0";
const count = v.pipe(v.number(), v.integer(fromZero), v.minValue(0, fromZero));
const fewTimes = "a whole number from 1 to 10000";
const times = v.pipe(
  v.number(),
  v.integer(fewTimes),
  v.minValue(1, fewTimes),
  v.maxValue(10_000, fewTimes),
);
const milliseconds = v.pipe(
  v.number(),
  v.minValue(0, `a number from 0 to ${MAX_WAIT_MS}`),
  v.maxValue(MAX_WAIT_MS, `a number from 0 to ${MAX_WAIT_MS}`),
);
const shortText = "1 to 200 characters";
const named = v.pipe(text, v.minLength(1, shortText), v.maxLength(200, shortText));
const path = v.pipe(
  text,
  v.regex(
    /^(?!\.{1,2}(?:\/|$))[^/\\:\0]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\0]+)*$/,
    "a path inside the workspace, such as src/main.ts",
  ),
  v.description("Relative to the workspace, with / between names"),
);
const like = v.pipe(text, v.description("* stands for anything"));
const pattern = v.pipe(v.unknown(), v.description("A pattern: see docs/reference/scenarios.md"));
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
const textEdit = v.strictObject({ find: text, replace: text });
const textOrEdit = v.union([text, textEdit], "a text or { find, replace }");
const rangeOrTexts = v.pipe(
  v.union(
    [range, v.strictObject({ from: text, to: text })],
    "{ start, end } or { from, to }, the texts at its ends",
  ),
  v.description("From 0, UTF-16 units, end not included; or the texts at its ends"),
);
const anyObject = v.record(text, v.unknown());
const diagnostic = v.strictObject({
  message: text,
  severity: v.picklist(["error", "warning", "information", "hint"]),
  range,
  source: v.exactOptional(text),
  code: v.exactOptional(v.union([text, v.number()])),
});

const note = v.exactOptional(
  v.pipe(text, v.description("For the reader; a caption where the scenario is shown")),
);
const withinMs = v.exactOptional(
  v.pipe(milliseconds, v.description("How long the agent has; the header's when left out")),
);
const forMs = v.exactOptional(
  v.pipe(milliseconds, v.description("How long nothing may come; 200 when left out")),
);
const occurrences = {
  at,
  times: v.exactOptional(v.pipe(times, v.description("How many of them; 1 when left out"))),
  order: v.exactOptional(
    v.pipe(
      v.picklist(["after", "any"]),
      v.description("any: also before the event matched last; after when left out"),
    ),
  ),
};

/** The schema of the header. */
export const headerSchema: v.GenericSchema<unknown, ScenarioHeader> = exactly<ScenarioHeader>()(
  v.strictObject({
    idewire: v.literal("scenario/1"),
    name: named,
    note,
    dialect: v.exactOptional(
      v.picklist(["claude-code", "claude-code-spec", "jetbrains", "neovim"]),
    ),
    editor: v.exactOptional(named),
    workspace: v.exactOptional(
      v.pipe(named, v.description("A folder to copy, relative to the scenario's own")),
    ),
    folder: v.exactOptional(v.pipe(named, v.description("Where a simulation has its workspace"))),
    files: v.exactOptional(
      v.record(
        path,
        v.union(
          [
            text,
            v.strictObject({
              line: text,
              times: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
            }),
          ],
          "a text or { line, times }",
        ),
      ),
    ),
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

function action<V extends Verb, E extends v.ObjectEntries>(verb: V, members: E) {
  return v.strictObject({ do: v.literal(verb), ...members, note });
}

function agentAction<V extends AgentVerb, E extends v.ObjectEntries>(verb: V, members: E) {
  return v.strictObject({ agent: v.literal(verb), ...members, note });
}

/** A command as core defines it, without unknown members, its path relative to the workspace. */
function command<V extends Exclude<EditorVerb, "edit" | "select" | "answerDiff">>(
  verb: V,
): v.GenericSchema<unknown, ActionOf<V>> {
  const schema: unknown = editorCommandSchemas[verb];
  const { entries } = schema as { readonly entries: v.ObjectEntries };
  const own = "path" in entries ? { path } : {};
  const strict: unknown = v.strictObject({ ...entries, ...own, note });
  return strict as v.GenericSchema<unknown, ActionOf<V>>;
}

function expectation<K extends ExpectationKind, E extends v.ObjectEntries>(kind: K, members: E) {
  return v.strictObject({ expect: v.literal(kind), ...members, withinMs, note });
}

function quiet<K extends ExpectationKind, E extends v.ObjectEntries>(kind: K, members: E) {
  return v.strictObject({ expect: v.literal(kind), ...members, forMs, note });
}

/** When something is answered, and how often. */
const answering = { afterMs: v.exactOptional(milliseconds), times: v.exactOptional(times) };

/** The schema of each action. */
export const actionSchemas: SchemasOf<{ [V in Verb]: ActionOf<V> }> = membersOf(
  exactly<{ [V in Verb]: ActionOf<V> }>()(
    v.object({
      open: command("open"),
      close: command("close"),
      save: command("save"),
      revert: command("revert"),
      keepUnsaved: command("keepUnsaved"),
      clearSelection: command("clearSelection"),
      mention: command("mention"),
      setDiagnostics: command("setDiagnostics"),
      edit: action("edit", {
        path,
        text: textOrEdit,
        over: v.exactOptional(text),
        restores: v.exactOptional(v.boolean()),
      }),
      select: action("select", { path, range: rangeOrTexts, text: v.exactOptional(text) }),
      answerDiff: action("answerDiff", {
        id: v.exactOptional(named),
        answer: v.variant("kind", [
          v.strictObject({ kind: v.literal("accepted"), text: v.exactOptional(textOrEdit) }),
          v.strictObject({ kind: v.literal("rejected"), comments: v.exactOptional(text) }),
          v.strictObject({ kind: v.literal("closed") }),
        ]),
      }),
      write: action("write", { path, text }),
      diagnostics: action("diagnostics", {
        path,
        diagnostics: v.array(diagnostic),
        when: v.exactOptional(v.picklist(["now", "written"])),
      }),
      diff: action("diff", {
        answer: v.picklist(["accept", "accept-edited", "reject", "close", "wait"]),
        text: v.exactOptional(text),
        suffix: v.exactOptional(text),
        comments: v.exactOptional(text),
        path: v.exactOptional(like),
        title: v.exactOptional(like),
        ...answering,
      }),
      answerTool: action("answerTool", {
        tool: named,
        error: v.exactOptional(
          v.strictObject({ code: v.pipe(v.number(), v.integer("a whole number")), message: text }),
        ),
        failure: v.exactOptional(text),
        ...answering,
      }),
      notify: action("notify", { method: named, params: v.exactOptional(anyObject) }),
      drop: action("drop", {}),
      restart: action("restart", {
        token: v.exactOptional(v.picklist(["same", "new", "wrong"])),
        downMs: v.exactOptional(milliseconds),
      }),
      wait: action("wait", { ms: milliseconds }),
      comment: action("comment", { path, on: text, tag: v.picklist(pageCommentTags), text }),
      faults: action("faults", { plan: v.nullable(faultPlanSchema) }),
      send: action("send", { dir: v.picklist(["agent>ide", "ide>agent"]), raw: text }),
      closeEditor: action("closeEditor", {}),
      log: action("log", { event: factSchema }),
    }),
  ),
);

/** The schema of each action of a simulated agent. */
export const agentSchemas: SchemasOf<{ [V in AgentVerb]: AgentActionOf<V> }> = membersOf(
  exactly<{ [V in AgentVerb]: AgentActionOf<V> }>()(
    v.object({
      connect: agentAction("connect", {
        protocolVersion: v.exactOptional(
          v.picklist(Object.keys(legacyRevisions) as LegacyRevision[]),
        ),
        wrongToken: v.exactOptional(v.boolean()),
      }),
      disconnect: agentAction("disconnect", { code: v.exactOptional(count) }),
      propose: agentAction("propose", { path, text: textOrEdit }),
      terminal: agentAction("terminal", { accept: v.boolean() }),
      call: agentAction("call", { tool: named, arguments: anyObject }),
      request: agentAction("request", { method: named, params: v.exactOptional(anyObject) }),
    }),
  ),
);

const message = { method: named, params: v.exactOptional(pattern), ...occurrences };

/** The schema of each expectation. */
export const expectationSchemas: SchemasOf<ScenarioExpectations> = membersOf(
  exactly<ScenarioExpectations>()(
    v.object({
      connected: expectation("connected", { editor: v.exactOptional(like) }),
      initialized: expectation("initialized", { agent: v.exactOptional(pattern) }),
      ready: expectation("ready", {}),
      disconnected: expectation("disconnected", { code: v.exactOptional(count) }),
      refused: expectation("refused", {}),
      request: expectation("request", message),
      call: expectation("call", {
        tool: named,
        arguments: v.exactOptional(pattern),
        ...occurrences,
      }),
      notification: expectation("notification", message),
      "no-call": quiet("no-call", {
        tool: v.exactOptional(named),
        arguments: v.exactOptional(pattern),
        except: v.exactOptional(v.array(named)),
      }),
      "no-connection": quiet("no-connection", { editor: v.exactOptional(like) }),
      diff: expectation("diff", {
        outcome: v.picklist(["shown", "accepted", "rejected", "closed", "cancelled"]),
        path: v.exactOptional(like),
        title: v.exactOptional(like),
      }),
      file: expectation("file", {
        path,
        text: v.exactOptional(text),
        like: v.exactOptional(like),
        exists: v.exactOptional(v.boolean()),
      }),
      frames: quiet("frames", { frames: v.array(text), withinMs }),
      exit: expectation("exit", { code: v.exactOptional(count) }),
    }),
  ),
);
