import { expect, test } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { settled } from "../../testing/raw-end.ts";
import { sampleDocument } from "../../testing/sample-values.ts";
import type { EditorHost, Selection } from "../editor-host.ts";
import { openIdeSession } from "../session/ide-server.ts";
import type { SharePolicy } from "../share-policy.ts";
import { codex } from "./codex.ts";
import { folderOfFrame, toMcp } from "./codex-wire.ts";

const FILE = posixPath("/vault/notes/a.txt");

/** One connection of the agent to an editor in memory. */
function connect(host: EditorHost = fakeEditorHost(), share: Partial<SharePolicy> = {}) {
  const [agentEnd, editorEnd] = createMemoryTransportPair();
  const session = openIdeSession(toMcp(editorEnd), host, codex, { share });
  const answers: Record<string, unknown>[] = [];
  const closes: CloseReason[] = [];
  agentEnd.onframe = (frame) => answers.push(JSON.parse(frame) as Record<string, unknown>);
  agentEnd.onclose = (reason) => closes.push(reason);
  const send = async (message: unknown) => {
    agentEnd.send(typeof message === "string" ? message : JSON.stringify(message));
    await settled();
    return answers.splice(0);
  };
  return { send, session, closes, agentEnd };
}

/** The request as it was measured (docs/clients/codex.md, Request). */
function request(members: Record<string, unknown> = {}) {
  return {
    ...{ type: "request", requestId: "r1", sourceClientId: "codex-tui", version: 0 },
    ...{ method: "ide-context", params: { workspaceRoot: "/vault" } },
    ...members,
  };
}

function failure(requestId: string, error: string) {
  return { type: "response", requestId, resultType: "error", error };
}

function range(line: number, text: string): Selection["ranges"][number] {
  return { start: { line, character: 0 }, end: { line, character: text.length }, text };
}

/** The answer to an agent; the share level is `all` unless the test chooses another. */
async function contextOf(host: EditorHost, share: Partial<SharePolicy> = { level: "all" }) {
  const [answer] = await connect(host, share).send(request());
  const { result } = answer as { result: { ideContext: Record<string, unknown> } };
  return result.ideContext;
}

test("the active file, its selection and the open files are answered as measured", async () => {
  const host = fakeEditorHost();
  host.setDocuments([
    sampleDocument({ path: FILE, label: "a.txt" }),
    sampleDocument({ path: posixPath("/elsewhere/b.txt"), label: "b", active: false }),
    sampleDocument({ path: posixPath("/vault/new"), untitled: true, active: false }),
  ]);
  host.setSelection({ path: FILE, ranges: [range(1, "text")], primary: 0 });
  const file = { label: "a.txt", path: "notes/a.txt", fsPath: "/vault/notes/a.txt" };
  expect(await connect(host, { level: "all" }).send(request())).toEqual([
    {
      ...{ type: "response", requestId: "r1", resultType: "success", method: "ide-context" },
      handledByClientId: "idewire",
      result: {
        ideContext: {
          activeFile: {
            ...file,
            selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } },
            activeSelectionContent: "text",
            selections: [],
          },
          openTabs: [file, { label: "b", path: "/elsewhere/b.txt", fsPath: "/elsewhere/b.txt" }],
        },
      },
    },
  ]);
});

test("an editor in which nothing is selected or open has an empty context", async () => {
  expect(await contextOf(fakeEditorHost())).toEqual({ openTabs: [] });
});

test("several ranges are listed, with the text of all", async () => {
  const host = fakeEditorHost();
  host.setSelection({ path: FILE, ranges: [range(1, "one"), range(5, "two")], primary: 1 });
  expect(await contextOf(host)).toMatchObject({
    activeFile: {
      selection: { start: { line: 5 } },
      activeSelectionContent: "one\ntwo",
      selections: [{ start: { line: 1 } }, { start: { line: 5 } }],
    },
  });
});

test("a selected text is cut at 200,000 characters, never within one", async () => {
  const host = fakeEditorHost();
  const text = `${"x".repeat(199_999)}😀`;
  host.setSelection({ path: FILE, ranges: [range(0, text)], primary: 0 });
  const { activeFile } = await contextOf(host, { level: "all", maxTextLength: 1_000_000 });
  expect(activeFile).toMatchObject({ activeSelectionContent: "x".repeat(199_999) });
});

test.each([
  ["off", { openTabs: [] }],
  [
    "path",
    {
      activeFile: { path: "notes/a.txt", activeSelectionContent: "", selections: [] },
      openTabs: [],
    },
  ],
  ["selection", { activeFile: { activeSelectionContent: "secret" }, openTabs: [] }],
] as const)("the share level %s is obeyed", async (level, context) => {
  const host = fakeEditorHost();
  host.setDocuments([sampleDocument({ path: FILE })]);
  host.setSelection({ path: FILE, ranges: [range(1, "secret")], primary: 0 });
  const shared = await contextOf(host, { level });
  expect(shared).toMatchObject(context);
  expect(Object.keys(shared).sort()).toEqual(Object.keys(context).sort());
});

test("an excluded file is neither active nor open", async () => {
  const host = fakeEditorHost();
  host.setDocuments([sampleDocument({ path: FILE })]);
  host.setSelection({ path: FILE, ranges: [range(1, "secret")], primary: 0 });
  expect(await contextOf(host, { level: "all", isExcluded: () => true })).toEqual({ openTabs: [] });
});

test("a folder inside of the editor's is served, and its files are named from there", async () => {
  const host = fakeEditorHost();
  host.setSelection({ path: FILE, ranges: [range(1, "")], primary: 0 });
  const params = { workspaceRoot: "/vault/notes" };
  const [answer] = await connect(host).send(request({ params }));
  expect(answer).toMatchObject({ result: { ideContext: { activeFile: { path: "a.txt" } } } });
});

test.each(["/", "/vaults", "/other/vault", "vault", ""])(
  "for the folder %j, which is not the editor's, no editor is found",
  async (workspaceRoot) => {
    const answers = await connect().send(request({ params: { workspaceRoot } }));
    expect(answers).toEqual([failure("r1", "no-client-found")]);
  },
);

test("the request of earlier versions that introduces the agent is answered, before the context", async () => {
  const agent = connect();
  const method = "initialize";
  const params = { clientType: "desktop" };
  expect(await agent.send(request({ requestId: "i", method, params }))).toEqual([
    {
      ...{ type: "response", requestId: "i", resultType: "success", method },
      ...{ handledByClientId: "idewire", result: { clientId: "idewire" } },
    },
  ]);
  expect(await agent.send(request())).toMatchObject([{ resultType: "success" }]);
});

test("whether a request can be handled is answered by its method", async () => {
  const agent = connect();
  for (const [method, canHandle] of [
    ["ide-context", true],
    ["thread-owner-discovery", false],
  ]) {
    const asked = { type: "client-discovery-request", requestId: "d", request: { method } };
    expect(await agent.send(asked)).toEqual([
      { type: "client-discovery-response", requestId: "d", response: { canHandle } },
    ]);
  }
});

test.each([
  request({ method: "start-turn" }),
  request({ params: undefined }),
  request({ params: { workspaceRoot: 7 } }),
])("another request, or one without a folder, has no handler: %j", async (message) => {
  expect(await connect().send(message)).toEqual([failure("r1", "no-handler-for-request")]);
});

test.each([
  { type: "broadcast", method: "client-status-changed", params: {} },
  { type: "response", requestId: "x", resultType: "success" },
  { type: "client-discovery-response", requestId: "x", response: { canHandle: false } },
  { type: "request", method: "ide-context" },
  { type: "future" },
  {},
])("a frame that needs no answer gets none: %j", async (message) => {
  const agent = connect();
  expect(await agent.send(message)).toEqual([]);
  expect(await agent.send(request())).toMatchObject([{ resultType: "success" }]);
});

test.each(["", "{", "[]", "7", "null", "not json"])(
  "the frame %j, which is not an object, closes the connection",
  async (frame) => {
    const agent = connect();
    expect(await agent.send(frame)).toEqual([]);
    expect(agent.closes).toEqual([{ code: 1007, reason: "A frame is not a JSON object" }]);
  },
);

test("each request is answered by its id, and the session has the agent's name", async () => {
  const agent = connect();
  const answers = await Promise.all([
    agent.send(request({ requestId: "a" })),
    agent.send(request({ requestId: "b", params: { workspaceRoot: "/x" } })),
  ]);
  expect(answers.flat()).toMatchObject([
    { requestId: "a", resultType: "success" },
    failure("b", "no-client-found"),
  ]);
  expect(agent.session.agent).toMatchObject({ name: "codex", title: "Codex CLI" });
});

test("nothing is sent without a request", async () => {
  const host = fakeEditorHost();
  const agent = connect(host);
  await agent.send(request());
  host.setSelection({ path: FILE, ranges: [range(1, "new")], primary: 0 });
  host.mention({ path: FILE });
  await settled();
  expect(await agent.send({ type: "broadcast" })).toEqual([]);
  expect(agent.session.takesMentions).toBe(false);
});

test("a frame names the folder of its request, if any", () => {
  expect(folderOfFrame(JSON.stringify(request()))).toBe("/vault");
  const others = [request({ method: "x" }), request({ params: {} }), { type: "broadcast" }, []];
  for (const other of others) expect(folderOfFrame(JSON.stringify(other))).toBeUndefined();
  expect(folderOfFrame("{")).toBeUndefined();
});
