import { expect, test } from "vitest";
import { errorResult, textResult } from "../../mcp/content.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture, type PlayedAgent } from "../../testing/ide-fixture.ts";
import { settled } from "../../testing/raw-end.ts";
import type { DiffRequest } from "../editor-host.ts";

const proposal = {
  old_file_path: "/vault/a.txt",
  new_file_path: "/vault/a.txt",
  new_file_contents: "new\r\ntext ✓\n",
  tab_name: "✻ [Claude Code] a.txt (d10fb5) ⧉",
};

async function fixture(...args: Parameters<typeof ideFixture>) {
  const ide = ideFixture(...args);
  const agent = ide.connect();
  await agent.getReady();
  return { ...ide, agent };
}

/** The received answers, by the id of their call. */
async function answers(agent: PlayedAgent): Promise<unknown[][]> {
  return (await agent.take()).map(({ id, result, error }) => [id, result ?? error]);
}

test("the four arguments of the client reach the host as one request", async () => {
  const { host, agent } = await fixture();
  agent.start("openDiff", proposal);
  await settled();
  const [[request] = []] = host.callsOf("openDiff");
  expect(request).toEqual({
    id: expect.any(String),
    session: agent.session.id,
    path: "/vault/a.txt",
    oldPath: "/vault/a.txt",
    proposed: "new\r\ntext ✓\n",
    title: proposal.tab_name,
    outsideWorkspace: false,
  });
});

test("a rename has two paths; without new_file_path the old one is the file", async () => {
  const { host, agent } = await fixture();
  const { new_file_path: _, ...three } = proposal;
  agent.start("openDiff", { ...proposal, new_file_path: "/vault/sub/../b.txt" });
  agent.start("openDiff", three);
  await settled();
  expect(host.shownDiffs.map(({ path, oldPath }) => [path, oldPath])).toEqual([
    ["/vault/b.txt", "/vault/a.txt"],
    ["/vault/a.txt", "/vault/a.txt"],
  ]);
});

test("nothing is answered before the person", async () => {
  const { agent, clock } = await fixture();
  agent.start("openDiff", proposal);
  clock.advance(24 * 3_600_000);
  expect(await agent.take()).toEqual([]);
});

test("accepted is FILE_SAVED and the whole text that the person saw", async () => {
  const { host, agent } = await fixture();
  for (const text of [proposal.new_file_contents, "edited\r\n", "", "\ud83d"]) {
    const id = agent.start("openDiff", proposal);
    await settled();
    const [diff] = host.shownDiffs;
    host.answerDiff(diff?.id ?? "", { kind: "accepted", text });
    expect(await answers(agent)).toEqual([[id, textResult("FILE_SAVED", text)]]);
  }
});

test.each([{ kind: "rejected" }, { kind: "closed" }] as const)(
  "$kind is DIFF_REJECTED, since TAB_CLOSED would accept",
  async (outcome) => {
    const { host, agent } = await fixture();
    const id = agent.start("openDiff", proposal);
    await settled();
    host.answerDiff(host.shownDiffs[0]?.id ?? "", outcome);
    expect(await answers(agent)).toEqual([[id, textResult("DIFF_REJECTED")]]);
  },
);

test("close_tab with the diff's title settles it: the person answered in the terminal", async () => {
  const { host, agent } = await fixture();
  const diff = agent.start("openDiff", proposal);
  await settled();
  const [request] = host.shownDiffs;
  const close = agent.start("close_tab", { tab_name: proposal.tab_name });
  expect(await answers(agent)).toEqual([
    [diff, textResult("DIFF_REJECTED")],
    [close, textResult("TAB_CLOSED")],
  ]);
  expect(host.callsOf("closeDiff")).toEqual([[request?.id, "answered-elsewhere"]]);
  expect(host.shownDiffs).toEqual([]);
  expect(agent.session.diffs.requests).toEqual([]);
});

test("a second close_tab, or one for an unknown name, has the same result", async () => {
  const { host, agent } = await fixture();
  agent.start("openDiff", proposal);
  await agent.call("close_tab", { tab_name: proposal.tab_name });
  expect(await agent.call("close_tab", { tab_name: proposal.tab_name })).toEqual(
    textResult("TAB_CLOSED"),
  );
  expect(await agent.call("close_tab", { tab_name: "nobody's" })).toEqual(textResult("TAB_CLOSED"));
  expect(host.callsOf("closeDiff").length).toBe(1);
});

test("close_tab with another name leaves the diff open, and closes a tab of the host", async () => {
  const { host, agent } = await fixture();
  agent.start("openDiff", proposal);
  await agent.call("close_tab", { tab_name: "a.txt" });
  expect(host.shownDiffs.length).toBe(1);
  expect(host.callsOf("closeTab")).toEqual([["a.txt"]]);
});

test("closeAllDiffTabs settles all diffs and returns how many there were", async () => {
  const { host, agent } = await fixture();
  expect(await agent.call("closeAllDiffTabs")).toEqual(textResult("CLOSED_0_DIFF_TABS"));
  const first = agent.start("openDiff", { ...proposal, tab_name: "one" });
  const second = agent.start("openDiff", { ...proposal, tab_name: "two" });
  await settled();
  const ids = host.shownDiffs.map(({ id }) => id);
  const close = agent.start("closeAllDiffTabs", {});
  expect(await answers(agent)).toEqual([
    [first, textResult("DIFF_REJECTED")],
    [second, textResult("DIFF_REJECTED")],
    [close, textResult("CLOSED_2_DIFF_TABS")],
  ]);
  expect(host.callsOf("closeDiff")).toEqual(ids.map((id) => [id, "asked"]));
});

test("when the agent disconnects, its diffs are closed and nothing is sent", async () => {
  const { host, agent } = await fixture();
  agent.start("openDiff", proposal);
  await settled();
  const [request] = host.shownDiffs;
  agent.transport.close();
  expect(await agent.take()).toEqual([]);
  expect(host.callsOf("closeDiff")).toEqual([[request?.id, "session-gone"]]);
  expect(host.shownDiffs).toEqual([]);
});

test("when the agent cancels its call, the diff is closed as asked, without an answer", async () => {
  const { host, agent } = await fixture();
  const id = agent.start("openDiff", proposal);
  await settled();
  const [request] = host.shownDiffs;
  agent.wire.notify("notifications/cancelled", { requestId: id });
  expect(await agent.take()).toEqual([]);
  expect(host.callsOf("closeDiff")).toEqual([[request?.id, "asked"]]);
});

test("a host without closeDiff is notified by its signal", async () => {
  const signals: AbortSignal[] = [];
  const deaf = fakeEditorHost({
    closeDiff: undefined,
    openDiff: (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const { agent } = await fixture({}, deaf);
  const diff = agent.start("openDiff", proposal);
  await settled();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  const close = agent.start("closeAllDiffTabs", {});
  expect((await answers(agent)).map(([id]) => id)).toEqual([diff, close]);
  expect(signals.map(({ aborted, reason }) => [aborted, reason])).toEqual([[true, "asked"]]);
});

test("the first answer counts: an answer of the host after close_tab is ignored", async () => {
  const late: ((outcome: { kind: "accepted"; text: string; edited: boolean }) => void)[] = [];
  const stubborn = fakeEditorHost({
    openDiff: () => new Promise((resolve) => void late.push(resolve)),
  });
  const { agent } = await fixture({}, stubborn);
  const diff = agent.start("openDiff", proposal);
  const close = agent.start("close_tab", { tab_name: proposal.tab_name });
  expect((await answers(agent)).map(([id]) => id)).toEqual([diff, close]);
  late[0]?.({ kind: "accepted", text: "late", edited: false });
  expect(await agent.take()).toEqual([]);
});

test("a host without openDiff does not list it; called anyway, it is pending until it is settled", async () => {
  const { agent } = await fixture({}, fakeEditorHost({ openDiff: undefined }));
  agent.request("tools/list");
  const [list] = await agent.take();
  expect(JSON.stringify(list)).not.toContain('"openDiff"');
  const diff = agent.start("openDiff", proposal);
  expect(await agent.take()).toEqual([]);
  const close = agent.start("closeAllDiffTabs", {});
  expect(await answers(agent)).toEqual([
    [diff, textResult("DIFF_REJECTED")],
    [close, textResult("CLOSED_1_DIFF_TABS")],
  ]);
});

test("diffs of two sessions with one file and title are independent", async () => {
  const { host, agent, connect } = await fixture();
  const other = connect();
  await other.getReady();
  const mine = agent.start("openDiff", proposal);
  other.start("openDiff", proposal);
  await settled();
  const [first, second] = host.shownDiffs as [DiffRequest, DiffRequest];
  expect(first.id === second.id).toBe(false);
  expect([first.session, second.session]).toEqual([agent.session.id, other.session.id]);
  const close = agent.start("closeAllDiffTabs", {});
  expect((await answers(agent)).map(([id]) => id)).toEqual([mine, close]);
  agent.transport.close();
  expect(await other.take()).toEqual([]);
  expect(host.shownDiffs.map(({ id }) => id)).toEqual([second.id]);
});

test("any absolute path may be proposed, and one outside the workspace is marked so", async () => {
  const { host, agent } = await fixture();
  const paths = ["/vault/a", "/vault", "/vault/../etc/passwd", "/workshop/a", "/etc/passwd"];
  for (const path of paths) agent.start("openDiff", { ...proposal, new_file_path: path });
  await settled();
  expect(host.shownDiffs.map(({ path, outsideWorkspace }) => [path, outsideWorkspace])).toEqual([
    ["/vault/a", false],
    ["/vault", false],
    ["/etc/passwd", true],
    ["/workshop/a", true],
    ["/etc/passwd", true],
  ]);
});

test("native Windows paths are accepted, without regard to case", async () => {
  const { host, agent } = await fixture({ platform: "windows" });
  host.folders = [{ path: "/c/Users/me/w" as DiffRequest["path"], name: "w" }];
  const paths = [
    "C:\\Users\\Me\\W\\a.txt",
    "c:/users/me/w/b.txt",
    "D:\\w\\a.txt",
    "C:\\Users\\me\\w2",
  ];
  for (const path of paths) {
    agent.start("openDiff", { ...proposal, old_file_path: path, new_file_path: path });
  }
  await settled();
  expect(host.shownDiffs.map(({ path, outsideWorkspace }) => [path, outsideWorkspace])).toEqual([
    ["/c/Users/Me/W/a.txt", false],
    ["/c/users/me/w/b.txt", false],
    ["/d/w/a.txt", true],
    ["/c/Users/me/w2", true],
  ]);
});

test.each([
  ["old_file_path", "a.txt", 'the path "a.txt" is not absolute'],
  ["new_file_path", "./a.txt", 'the path "./a.txt" is not absolute'],
  ["new_file_path", "", 'the path "" is not absolute'],
  ["old_file_path", "/vault/a\0.txt", "a path may not contain NUL"],
])(
  "%s %j is refused with a message for the model, and nothing is shown",
  async (key, path, issue) => {
    const { host, agent } = await fixture();
    expect(await agent.call("openDiff", { ...proposal, [key]: path })).toEqual(
      errorResult(`${key}: ${issue}; give the absolute path of a file`),
    );
    expect(host.calls).toEqual([]);
  },
);

test.each([
  ["old_file_path", 5, "string", "5"],
  ["new_file_path", 7, "string", "7"],
  ["new_file_contents", undefined, "string", "nothing"],
  ["tab_name", ["x"], "string", '["x"]'],
])("%s %j is refused naming the argument, the value and what was expected", async (...row) => {
  const [key, value, expected, seen] = row;
  const { host, agent } = await fixture();
  expect(await agent.call("openDiff", { ...proposal, [key]: value })).toEqual(
    errorResult(`Invalid arguments for openDiff: ${key}: expected ${expected}, got ${seen}`),
  );
  expect(host.calls).toEqual([]);
});

test.each([
  ["rejects", () => Promise.reject(new Error("secret"))],
  [
    "throws",
    () => {
      throw new Error("secret");
    },
  ],
])("when a host %s, the diff ends with an internal error", async (_, openDiff) => {
  const { agent, errors } = await fixture({}, fakeEditorHost({ openDiff }));
  const id = agent.start("openDiff", proposal);
  expect(await answers(agent)).toEqual([[id, { code: -32_603, message: "Internal error" }]]);
  expect(errors.map(({ message }) => message)).toEqual(["secret"]);
  expect(agent.session.diffs.requests).toEqual([]);
});

test("a host that fails to close a diff is reported, without an effect on the agent", async () => {
  const failing = fakeEditorHost({ closeDiff: () => Promise.reject(new Error("stuck")) });
  const { agent, errors } = await fixture({}, failing);
  const diff = agent.start("openDiff", proposal);
  const close = agent.start("close_tab", { tab_name: proposal.tab_name });
  expect(await answers(agent)).toEqual([
    [diff, textResult("DIFF_REJECTED")],
    [close, textResult("TAB_CLOSED")],
  ]);
  agent.start("openDiff", proposal);
  await settled();
  agent.transport.close();
  await settled();
  expect(errors.map(({ message }) => message)).toEqual(["stuck", "stuck"]);
});
