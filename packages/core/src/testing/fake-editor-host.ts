import { InMemoryEditor } from "../ide/editor/in-memory-editor.ts";
import type { EditorHost } from "../ide/editor-host.ts";
import type { EditorHostOverrides } from "../ide/override-host.ts";
import { posixPath } from "./posix-path.ts";

/** One call of an asynchronous member, with its arguments. */
export interface FakeCall {
  readonly member: keyof EditorHost;
  readonly args: readonly unknown[];
}

/** An editor in memory that a test plays, and that keeps what the agents asked of it. */
export interface FakeEditorHost extends InMemoryEditor {
  /** What the agents asked, oldest first; members that were overridden do not show. */
  readonly calls: FakeCall[];
  /** The arguments of every call of one member, oldest first. */
  callsOf(member: keyof EditorHost): readonly (readonly unknown[])[];
}

/** What agents ask; the signal of a diff says nothing of that, and is not kept. */
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

/** A test says by itself what is shown and selected: files need not be there. */
const inert: EditorHostOverrides = {
  reveal: async () => {},
  select: async () => {},
  format: async () => {},
};

/**
 * An editor in memory, with `overrides` in place of its own members. Its one folder is `/vault`, and
 * a diff waits until the test answers it.
 */
export function fakeEditorHost(overrides: EditorHostOverrides = {}): FakeEditorHost {
  const editor = new InMemoryEditor({
    info: { name: "Fake Editor", version: "1.0.0" },
    folder: { path: posixPath("/vault"), name: "work" },
  });
  const calls: FakeCall[] = [];
  const record = (member: (typeof recorded)[number]) => {
    const own = (inert[member] ?? editor[member]) as (...args: unknown[]) => unknown;
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
  }) as FakeEditorHost;
}
