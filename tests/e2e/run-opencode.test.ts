import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServe } from "../src/reference-clients/serve-context.ts";
import { openRun } from "../src/run-context.ts";

// `idewire run opencode`: its permission requests as measured (docs/clients/opencode.md, Permissions).

const PATCH_HEAD = "Index: f\n===\n--- f\n+++ f\n@@ -1,5 +1,6 @@\n";

/** A request of opencode: the common indentation of its patch is cut off. */
function ask(path: string, patch: string, input: object) {
  const tool = { messageID: "msg_1", callID: "call_1" };
  const metadata = { filepath: path, diff: PATCH_HEAD + patch };
  const request = { id: "per_1", sessionID: "ses_1", permission: "edit", metadata, tool };
  const part = { type: "tool", callID: "call_1", state: { status: "running", input } };
  return { request, message: { info: {}, parts: [part] } };
}

/** Serves one request, and records its replies until it is answered. */
const OPENCODE = `#!${process.execPath}
const { createServer } = require("node:http");
const { appendFileSync, readFileSync } = require("node:fs");
const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_PERMISSION, FAKE_ASKS, FAKE_LOG, FAKE_LATE_MS } = process.env;
const { request: first, message } = JSON.parse(readFileSync(FAKE_ASKS, "utf8"));
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
const wanted = "Basic " + Buffer.from("opencode:" + password).toString("base64");
const log = (entry) => appendFileSync(FAKE_LOG, JSON.stringify(entry) + "\\n");
log({ permission: OPENCODE_PERMISSION, length: password.length });
let pending = [first];
const answer = (response, value) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
};
createServer((request, response) => {
  if (request.headers.authorization !== wanted) return response.writeHead(401).end();
  const { url } = request;
  if (url === "/permission") return answer(response, pending);
  if (url === "/session/ses_1/message/msg_1") return answer(response, message);
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    log({ url, reply: JSON.parse(body) });
    setTimeout(() => (pending = []), Number(FAKE_LATE_MS));
    answer(response, true);
  });
}).listen(port, "127.0.0.1");
process.on("SIGUSR2", () => (pending = []));
process.on("SIGTERM", () => process.exit(0));
`;

async function openOpencode(make: (file: string) => ReturnType<typeof ask>, lateMs = 0) {
  const context = openRun();
  const file = join(context.folder, "a.txt");
  const text = "class A {\n    one\n    two\n    three\n}\n";
  writeFileSync(file, text);
  const log = join(context.fixture.root, "log");
  const asks = join(context.fixture.root, "asks");
  writeFileSync(asks, JSON.stringify(make(file)));
  writeFileSync(join(context.bin, "opencode"), OPENCODE);
  const serve = startServe(context);
  await serve.event("listening");
  const run = context.start(["opencode"], {
    ...{ FAKE_ASKS: asks, FAKE_LOG: log, FAKE_LATE_MS: String(lateMs) },
    OPENCODE_PERMISSION: '{"bash":"deny"}',
  });
  const logged = () => {
    if (!existsSync(log)) return [];
    const lines = readFileSync(log, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  };
  const replies = () => logged().flatMap(({ url, reply }) => (url === undefined ? [] : [reply]));
  return { serve, run, text, logged, replies };
}

const edit = { oldString: "    two", newString: "    TWO\n    more" };
const askEdit = (file: string) =>
  ask(file, " class A {\n     one\n-    two\n+    TWO\n+    more\n     three\n }\n", edit);
const proposed = "class A {\n    one\n    TWO\n    more\n    three\n}\n";

test("an edit of opencode is a diff of the editor, and the answer is opencode's permission", async () => {
  const { serve, run, logged, replies } = await openOpencode(askEdit);
  const { diff, proposed: text } = await serve.event("diff-opened");
  expect(text).toBe(proposed);
  const [start] = logged();
  expect(start).toEqual({ permission: '{"edit":"ask","bash":"deny"}', length: 86 });
  serve.type({ do: "answerDiff", id: diff, answer: { kind: "accepted", text: proposed } });
  await expect.poll(replies).toEqual([{ reply: "once" }]);
  run.kill("SIGTERM");
  expect(await run.exited).toBe(0);
});

test("a rejected edit is refused, with the person's comments or their own text for the model", async () => {
  const rejected = await openOpencode(askEdit);
  await rejected.serve.event("diff-opened");
  rejected.serve.type({ do: "diff", answer: "reject" });
  await expect.poll(rejected.replies).toEqual([{ reply: "reject" }]);
  const commented = await openOpencode(askEdit);
  const waiting = await commented.serve.event("diff-opened");
  const comments = "a.txt, line 3:\n>     TWO\nNot in capitals.\n";
  const answer = { kind: "rejected", comments } as const;
  commented.serve.type({ do: "answerDiff", id: waiting["diff"], answer });
  await expect.poll(commented.replies).toEqual([{ reply: "reject", message: comments }]);
  const edited = await openOpencode(askEdit);
  const { diff } = await edited.serve.event("diff-opened");
  edited.serve.type({ do: "answerDiff", id: diff, answer: { kind: "accepted", text: "mine\n" } });
  const message = expect.stringMatching(/exactly this text:\nmine\n$/) as string;
  await expect.poll(edited.replies).toEqual([{ reply: "reject", message }]);
});

test("an answered edit that opencode still lists is not shown again", async () => {
  const { serve, replies } = await openOpencode(askEdit, 60_000);
  await serve.event("diff-opened");
  serve.type({ do: "diff", answer: "reject" });
  await expect.poll(replies).toEqual([{ reply: "reject" }]);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(serve.events.filter(({ event }) => event === "diff-opened")).toHaveLength(1);
  expect(replies()).toHaveLength(1);
});

test("a new file has its indentation, which the patch lacks", async () => {
  const content = "    indented\n    file\n";
  const { serve } = await openOpencode((file) =>
    ask(`${file}.new`, "+indented\n+file\n", { content }),
  );
  expect((await serve.event("diff-opened"))["proposed"]).toBe(content);
});

test("an edit that is answered in opencode's terminal is closed in the editor", async () => {
  const { serve, run, logged, replies } = await openOpencode(askEdit);
  await serve.event("diff-opened");
  expect(logged()).toHaveLength(1);
  process.kill(run.pid, 0);
  const [child] = readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, "utf8").split(" ");
  process.kill(Number(child), "SIGUSR2");
  await serve.event("diff-closed");
  expect(replies()).toEqual([]);
});

test("an edit whose whole text is not certain is left to opencode's terminal", async () => {
  const inexact = (file: string) =>
    ask(file, " class A {\n-    two\n+    TWO\n", { oldString: "two  ", newString: "TWO" });
  const { serve, run } = await openOpencode(inexact);
  await serve.event("initialized", { agent: "opencode-reviews" });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(serve.events.some(({ event }) => event === "diff-opened")).toBe(false);
  run.kill("SIGTERM");
  await run.exited;
});
