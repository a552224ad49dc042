import {
  baseName,
  claudeCode,
  claudeCodeSpec,
  type Dialect,
  jetBrains,
  neovim,
  sendLogEvent,
  toFileUri,
} from "@idewire/core";
import { type FakeEditorHost, fakeEditorHost, posixPath, RawEnd } from "@idewire/core/testing";
import { expect } from "vitest";
import { until } from "../reference-clients/transcript.ts";
import type { Conversation, PersonAct, Setup } from "./conversation.ts";
import { type Fixture, fixtures } from "./fixtures.ts";
import { mismatches } from "./matches.ts";

/** The profiles by their names in the files; without the delay before notifications. */
const dialects: Readonly<Record<string, Dialect>> = Object.fromEntries(
  [claudeCode, jetBrains, neovim, claudeCodeSpec].map((dialect) => [
    dialect.id,
    { ...dialect, readyDelayMs: 20 },
  ]),
);

/** Plays a conversation over one of {@link fixtures}; fails at the first frame that differs. */
export async function play(
  { setup = {}, steps }: Conversation,
  dialectId: string,
  transport: string,
): Promise<void> {
  const host = prepareHost(setup);
  const open = fixtures[transport];
  const dialect = dialects[dialectId];
  if (open === undefined || dialect === undefined) throw new Error(`no ${dialectId}, ${transport}`);
  const fixture = await open(host, dialect);
  const agent = new RawEnd(fixture.agent);
  for (const step of steps) {
    if ("agent" in step) agent.send(step.agent);
    else if ("editor" in step) await receive(agent, step.editor);
    else await act(host, fixture, step.person);
  }
  // Frames arrive in order: notifications sent earlier precede this answer.
  agent.request("the end", "ping");
  await until("the end", () => agent.frames.some((frame) => JSON.parse(frame).id === "the end"));
  expect(agent.frames.slice(0, -1), "unexpected frames").toEqual([]);
  agent.transport.close();
}

function prepareHost(setup: Setup): FakeEditorHost {
  const { name = "My Editor", version = "0.1.0", without = [] } = setup;
  const absent = Object.fromEntries(without.map((member) => [member, undefined]));
  const host = fakeEditorHost({ name, version, ...absent });
  const folders = setup.folders ?? ["/path/to/project"];
  host.folders = folders.map(posixPath).map((path) => ({ path, name: baseName(path) }));
  for (const [path, text] of Object.entries(setup.files ?? {}))
    host.writeFile(posixPath(path), text);
  host.setDocuments(
    (setup.documents ?? []).map(({ path: text, ...facts }) => {
      const path = posixPath(text);
      const state = { dirty: false, untitled: false, active: false, visible: true };
      const name = {
        uri: toFileUri(path, "posix"),
        languageId: "plaintext",
        label: baseName(path),
      };
      return { path, ...name, ...state, lastFocusedMs: 0, ...facts };
    }),
  );
  const files = setup.diagnostics ?? [];
  host.setDiagnostics(files.map((file) => ({ ...file, path: posixPath(file.path) })));
  return host;
}

/** Removes the answer with the same id, or else the first notification of that method. */
async function receive(agent: RawEnd, expected: Readonly<Record<string, unknown>>): Promise<void> {
  const isMeant = (frame: string) => {
    const { id, method } = JSON.parse(frame);
    return method === expected["method"] && (method !== undefined || id === expected["id"]);
  };
  await until(`the frame ${JSON.stringify(expected)}`, () => agent.frames.some(isMeant));
  const [frame = ""] = agent.frames.splice(agent.frames.findIndex(isMeant), 1);
  expect(mismatches(expected, JSON.parse(frame))).toEqual([]);
}

async function act(host: FakeEditorHost, fixture: Fixture, step: PersonAct): Promise<void> {
  switch (step.do) {
    case "select": {
      const range = { ...step.range, text: step.text };
      return host.setSelection({ path: posixPath(step.path), ranges: [range], primary: 0 });
    }
    case "clear":
      return host.setSelection(undefined);
    case "mention": {
      const { path, lines } = step;
      return host.mention({ path: posixPath(path), ...(lines && { lines }) });
    }
    case "diagnostics":
      return host.setDiagnostics([{ path: posixPath(step.path), diagnostics: step.diagnostics }]);
    case "log": {
      const { eventName, eventData } = step;
      for (const session of fixture.sessions()) sendLogEvent(session, { eventName, eventData });
      return;
    }
    default:
      return answerDiff(host, step);
  }
}

async function answerDiff(
  host: FakeEditorHost,
  step: PersonAct & { readonly do: "accept" | "reject" | "close" },
): Promise<void> {
  await until("a diff", () => host.shownDiffs.length > 0);
  const [diff] = host.shownDiffs;
  if (diff === undefined) return;
  if (step.do === "reject") host.answerDiff(diff.id, { kind: "rejected" });
  else if (step.do === "close") host.answerDiff(diff.id, { kind: "closed" });
  else {
    const { text = diff.proposed } = step;
    host.answerDiff(diff.id, { kind: "accepted", text });
  }
}
