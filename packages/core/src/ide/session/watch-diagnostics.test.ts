import { expect, test } from "vitest";
import { deferred } from "../../testing/deferred.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { neovim } from "../dialects/neovim.ts";
import type { Diagnostic, FileDiagnostics } from "../editor-host.ts";
import type { ShareLevel } from "../share-policy.ts";

const A = posixPath("/project/a.ts");
const B = posixPath("/project/b.ts");
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function problem(message: string): Diagnostic {
  return { range, severity: "error", message };
}

async function fixture(level: ShareLevel = "selection", host = fakeEditorHost()) {
  const ide = ideFixture({ dialect: neovim, share: { level } }, host);
  const agent = ide.connect();
  await agent.getReady();
  const pushed = async () =>
    (await agent.take()).map(({ method, params }) => {
      expect(method).toBe("diagnostics_changed");
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
      return [uri, ...diagnostics.map(({ message }) => message)];
    });
  return { ...ide, agent, pushed };
}

test("each changed file is sent with all its diagnostics, even if none are left", async () => {
  const { host, pushed } = await fixture();
  host.setDiagnostics([
    { path: A, diagnostics: [problem("one"), problem("two")] },
    { path: B, diagnostics: [] },
  ]);
  expect(await pushed()).toEqual([[`file://${A}`, "one", "two"], [`file://${B}`]]);
});

test("for unshared files nothing is sent, and the host is not called", async () => {
  const { host, pushed } = await fixture("path");
  host.setDiagnostics([{ path: A, diagnostics: [problem("one")] }]);
  expect(await pushed()).toEqual([]);
  const all = await fixture("all");
  all.host.setDiagnostics([{ path: posixPath("/project/.env"), diagnostics: [problem("x")] }]);
  expect(await all.pushed()).toEqual([]);
  expect([...host.callsOf("diagnostics"), ...all.host.callsOf("diagnostics")]).toEqual([]);
});

test("a change during a call of the host is sent afterwards, the newest last", async () => {
  const answers = [deferred<readonly FileDiagnostics[]>(), deferred<readonly FileDiagnostics[]>()];
  let callCount = 0;
  const host = fakeEditorHost({
    diagnostics: () => {
      callCount += 1;
      return answers[callCount - 1]?.promise ?? Promise.resolve([]);
    },
  });
  const { pushed } = await fixture("selection", host);
  for (let count = 0; count < 3; count += 1) host.setDiagnostics([{ path: A, diagnostics: [] }]);
  expect([callCount, await pushed()]).toEqual([1, []]);
  answers[0]?.resolve([
    { path: A, diagnostics: [problem("old")] },
    { path: B, diagnostics: [problem("nobody asked for it")] },
  ]);
  answers[1]?.resolve([{ path: A, diagnostics: [problem("new")] }]);
  expect(await pushed()).toEqual([
    [`file://${A}`, "old"],
    [`file://${A}`, "new"],
  ]);
  expect(callCount).toBe(2);
});

test("a host's failure is reported, and the next change is sent", async () => {
  let fails = true;
  const host = fakeEditorHost({
    diagnostics: async () => {
      if (fails) throw new Error("the language server died");
      return [{ path: A, diagnostics: [problem("alive")] }];
    },
  });
  const { pushed, errors } = await fixture("selection", host);
  host.setDiagnostics([{ path: A, diagnostics: [] }]);
  expect(await pushed()).toEqual([]);
  expect(errors.map(({ message }) => message)).toEqual(["the language server died"]);
  fails = false;
  host.setDiagnostics([{ path: A, diagnostics: [] }]);
  expect(await pushed()).toEqual([[`file://${A}`, "alive"]]);
});

test("a change before an agent is ready is sent once it is, and only to that agent", async () => {
  const { host, agent, clock, connect, pushed } = await fixture();
  const late = connect();
  await late.shakeHands();
  host.setDiagnostics([{ path: A, diagnostics: [problem("early")] }]);
  expect(await pushed()).toEqual([[`file://${A}`, "early"]]);
  expect(await late.take()).toEqual([]);
  clock.advance(300);
  expect(JSON.stringify(await late.take())).toContain("early");
  expect(await agent.take()).toEqual([]);
  late.request("tools/list");
  await late.take();
  host.setDiagnostics([{ path: A, diagnostics: [problem("at a list")] }]);
  expect(await pushed()).toEqual([[`file://${A}`, "at a list"]]);
  clock.advance(300);
  const received = (await late.take()).filter(({ method }) => method === "diagnostics_changed");
  expect(received.map(({ params }) => JSON.stringify(params))).toEqual([
    expect.stringContaining("at a list"),
  ]);
});

test("nothing is sent to an agent that disconnects before it is ready", async () => {
  const { host, clock, connect, pushed } = await fixture();
  const late = connect();
  late.transport.close();
  await late.session.closed;
  host.setDiagnostics([{ path: A, diagnostics: [problem("one")] }]);
  clock.advance(300);
  expect(await pushed()).toEqual([[`file://${A}`, "one"]]);
  expect(host.callsOf("diagnostics")).toHaveLength(1);
});

test("diagnostics that are sent are emitted", async () => {
  const { host, server, pushed } = await fixture();
  const seen: unknown[] = [];
  server.events.on("sent", (_, fact, frame) => seen.push(fact, frame));
  const file = { path: A, diagnostics: [problem("one")] };
  host.setDiagnostics([file]);
  await pushed();
  expect(seen).toEqual([{ kind: "diagnostics", ...file }, expect.stringContaining("one")]);
});

test("a closed server has no listeners", async () => {
  const { host, server, pushed } = await fixture();
  server.close();
  host.setDiagnostics([{ path: A, diagnostics: [problem("late")] }]);
  expect(await pushed()).toEqual([]);
  expect(host.callsOf("diagnostics")).toEqual([]);
});
