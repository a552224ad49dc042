import { expect, expectTypeOf, test } from "vitest";
import { posixPath } from "../../testing/posix-path.ts";
import type { SaveOutcome } from "../editor-host.ts";
import {
  type CommandableEditor,
  type EditorCommand,
  type EditorVerb,
  locateCommand,
  runCommand,
} from "./editor-command.ts";
import {
  editorCommandInputs,
  editorCommandSchemas,
  isEditorVerb,
} from "./editor-command-schema.ts";

const path = posixPath("/vault/a.md");
const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };
const diagnostics = [{ range, severity: "hint", message: "m", source: "s", code: 7 }] as const;

/** Each command, and the member of the editor that it should call. */
const samples: readonly (readonly [EditorCommand, keyof CommandableEditor, readonly unknown[]])[] =
  [
    [{ do: "open", path }, "open", [path]],
    [{ do: "close", path }, "closeDocument", [path, { discard: false }]],
    [{ do: "close", path, discard: true }, "closeDocument", [path, { discard: true }]],
    [{ do: "edit", path, text: "new", over: "old" }, "edit", [path, "new", { over: "old" }]],
    [{ do: "save", path }, "save", [path]],
    [{ do: "revert", path }, "revert", [path]],
    [{ do: "keepUnsaved", path }, "keepUnsaved", [path]],
    [{ do: "select", path, range, text: "t" }, "select", [path, range, "t"]],
    [{ do: "clearSelection" }, "clearSelection", []],
    [
      { do: "mention", path, lines: { start: 1, end: 2 } },
      "mention",
      [{ path, lines: { start: 1, end: 2 } }],
    ],
    [
      { do: "setDiagnostics", files: [{ path, diagnostics }] },
      "setDiagnostics",
      [[{ path, diagnostics }]],
    ],
    [
      { do: "answerDiff", id: "7", answer: { kind: "accepted", text: "t" } },
      "answerDiff",
      ["7", { kind: "accepted", text: "t" }, "page"],
    ],
  ];

/** Accepts every command and records the calls. */
function recordingEditor() {
  const calls: (readonly unknown[])[] = [];
  const name = "Recorder";
  const editor = new Proxy({ name } as Required<CommandableEditor>, {
    get: (target, member) =>
      member === "info"
        ? target.name
        : (...args: readonly unknown[]) => {
            calls.push([member, ...args]);
            return "outcome";
          },
  });
  return { editor, calls };
}

test("the samples cover every command", () => {
  const verbs = new Set(samples.map(([command]) => command.do));
  expect([...verbs].sort()).toEqual(Object.keys(editorCommandSchemas).sort());
});

test.each(samples)("%j is carried out at once by %s", (command, member, args) => {
  const { editor, calls } = recordingEditor();
  expect(runCommand<EditorVerb>(editor, command, "page")).toBe("outcome");
  expect(calls.map((call) => call.filter((part) => part !== undefined))).toEqual([
    [member, ...args],
  ]);
});

test.each(samples)("%j survives a round trip through JSON", (command) => {
  const input = editorCommandInputs()[command.do];
  expect(input.parse(JSON.parse(JSON.stringify(command)))).toEqual({ ok: true, value: command });
  expect(input.jsonSchema).toMatchObject({
    type: "object",
    properties: { do: { const: command.do } },
  });
});

test.each(samples)("%j is refused by an editor without it", (command) => {
  const editor: CommandableEditor = { name: "Bare Editor" };
  expect(() => runCommand<EditorVerb>(editor, command)).toThrow(
    `Bare Editor does not support the command ${command.do}; use Bare Editor itself`,
  );
});

test("an editor's member keeps its this, and its result its type", () => {
  const editor = {
    name: "Editor",
    outcome: { saved: false, message: "no space" },
    save(): SaveOutcome {
      return this.outcome;
    },
  };
  const outcome = runCommand(editor, { do: "save", path });
  expectTypeOf(outcome).toEqualTypeOf<SaveOutcome | Promise<SaveOutcome>>();
  expect(outcome).toBe(editor.outcome);
  const closed = () => runCommand(editor, { do: "close", path });
  expectTypeOf(closed).returns.toEqualTypeOf<boolean | Promise<boolean>>();
});

test.each([
  [{ do: "open" }, "path: expected string, got nothing"],
  [{ do: "close", path, discard: "yes" }, 'discard: expected boolean, got "yes"'],
  [
    { do: "select", path, range: { ...range, end: { line: -1, character: 0 } } },
    "range.end.line: expected >=0, got -1",
  ],
  [
    { do: "answerDiff", id: "7", answer: { kind: "cancelled" } },
    'answer.kind: expected ("accepted" | "rejected" | "closed"), got "cancelled"',
  ],
] as const)("%j is refused with a message", (command, issue) => {
  expect(editorCommandInputs()[command.do].parse(command)).toEqual({ ok: false, issue });
});

test.each(["open", "clearSelection"])("%s is a command", (verb) => {
  expect(isEditorVerb(verb)).toBe(true);
});

test.each(["toString", "clear", 7, undefined])("%s is not a command", (verb) => {
  expect(isEditorVerb(verb)).toBe(false);
});

test("every path of a command is read", () => {
  const read = (name: string) => posixPath(`/vault/${name}`);
  const file = { path: "a.md", diagnostics: [] };
  expect(locateCommand({ do: "save", path: "a.md" }, read)).toEqual({ do: "save", path });
  expect(locateCommand({ do: "setDiagnostics", files: [file] }, read)).toEqual({
    do: "setDiagnostics",
    files: [{ path, diagnostics: [] }],
  });
  expect(locateCommand({ do: "clearSelection" }, read)).toEqual({ do: "clearSelection" });
});
