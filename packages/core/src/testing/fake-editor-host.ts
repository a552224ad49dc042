import { InMemoryEditor } from "../ide/editor/in-memory-editor.ts";
import type { EditorHost } from "../ide/editor-host.ts";
import type { EditorHostOverrides } from "../ide/override-host.ts";
import { posixPath } from "./posix-path.ts";

/** A call of an asynchronous member. */
export interface FakeCall {
  readonly member: keyof EditorHost;
  readonly args: readonly unknown[];
}

/** An editor in memory for tests, which records the requests of agents. */
export interface FakeEditorHost extends InMemoryEditor {
  /** The requests of agents, oldest first, except those to overridden members. */
  readonly calls: FakeCall[];
  /** The arguments of every call of one member, oldest first. */
  callsOf(member: keyof EditorHost): readonly (readonly unknown[])[];
}

/** The recorded members. */
const recorded = [
  "fileVersion",
  "read",
  "reveal",
  "select",
  "openDiff",
  "closeDiff",
  "diagnostics",
  "save",
  "format",
  "closeTab",
] as const satisfies readonly (keyof EditorHost)[];

/** Members without effect, so that tests need no files; they set the selection themselves. */
const inert: EditorHostOverrides = {
  reveal: async () => {},
  select: async () => {},
  format: async () => {},
};

/**
 * Creates an editor in memory with the folder `/vault`, and with `overrides` in place of its own
 * members. A diff is pending until the test answers it.
 */
export function fakeEditorHost(overrides: EditorHostOverrides = {}): FakeEditorHost {
  const editor = new InMemoryEditor({
    name: "Fake Editor",
    version: "1.0.0",
    folder: { path: posixPath("/vault"), name: "work" },
  });
  const calls: FakeCall[] = [];
  const record = (member: (typeof recorded)[number]) => {
    const from = Object.hasOwn(inert, member) ? inert : editor;
    const own = Reflect.get(from, member) as (...args: unknown[]) => unknown;
    return (...all: unknown[]) => {
      calls.push({ member, args: member === "openDiff" ? all.slice(0, 1) : all });
      return own.apply(editor, all);
    };
  };
  return Object.assign(editor, {
    ...Object.fromEntries(recorded.map((member) => [member, record(member)])),
    calls,
    callsOf: (member: keyof EditorHost) =>
      calls.filter((call) => call.member === member).map(({ args }) => args),
    ...overrides,
  });
}
