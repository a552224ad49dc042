import { expect, test } from "vitest";
import type { Direction, TraceEvent, TraceFact } from "../format/trace-event.ts";
import { Conversation, type TracedEvent } from "./conversation.ts";

function frame(dir: Direction, value: unknown, more: object = {}): TraceFact {
  return { ev: "frame", ch: "c1", dir, raw: JSON.stringify(value), ...more };
}

const agent = (value: unknown, more?: object) => frame("agent>ide", value, more);
const editor = (value: unknown, more?: object) => frame("ide>agent", value, more);
const call = (id: number | string) => {
  return agent({ id, method: "tools/call", params: { name: "openDiff" } });
};

function read(...facts: readonly TraceFact[]): readonly TracedEvent[] {
  const conversation = new Conversation();
  return facts.map((fact, at) => {
    const event: TraceEvent = { n: at + 1, t: 10 * at, ...fact };
    return conversation.add(event);
  });
}

/** The events whose requests are answered by the last of these. */
function answered(...facts: readonly TraceFact[]) {
  return read(...facts)
    .at(-1)
    ?.messages.map(({ request }) => request?.n);
}

test("an answer is paired with the other end's request of the same id, and has its method and tool", () => {
  const [request, , answer] = read(
    call(1),
    editor({ id: 1, method: "ping" }),
    editor({ id: 1, result: {} }),
  );
  expect(answer?.messages[0]?.request).toBe(request?.messages[0]?.request);
  expect(answer?.messages[0]?.request).toMatchObject({
    n: 1,
    method: "tools/call",
    tool: "openDiff",
  });
});

test.each([
  ["another type of id", editor({ id: "1", result: {} })],
  ["the same direction", agent({ id: 1, result: {} })],
  ["another connection", editor({ id: 1, result: {} }, { ch: "c2" })],
  ["an unread text", editor({ id: 1, result: {} }, { cut: 100 })],
])("an answer with %s answers no request", (_, answer) => {
  expect(answered(call(1), answer)?.filter((n) => n !== undefined)).toEqual([]);
});

test("a request is answered once, and each message of a batch by itself", () => {
  expect(answered(call(1), editor({ id: 1, result: {} }), editor({ id: 1, result: {} }))).toEqual([
    undefined,
  ]);
  const batch = [{ id: 1, method: "a" }, 7, { id: 2, method: "b" }];
  const [request, answer] = read(
    agent(batch),
    editor([
      { id: 2, error: {} },
      { id: 1, result: 0 },
    ]),
  );
  expect(request?.messages.map(({ kind, pointer }) => [kind, pointer])).toEqual([
    ...[
      ["request", "/0"],
      ["malformed", "/1"],
      ["request", "/2"],
    ],
  ]);
  expect(answer?.messages.map(({ request }) => request?.method)).toEqual(["b", "a"]);
});

test("a lost request is never answered, and a lost answer leaves its request open", () => {
  expect(answered({ ...call(1), lost: true } as TraceFact, editor({ id: 1, result: {} }))).toEqual([
    undefined,
  ]);
  const late = editor({ id: 1, result: {} });
  expect(answered(call(1), { ...late, lost: true } as TraceFact, late)).toEqual([1]);
});

test("a reused id belongs to the newest request, and a cancelled request may be answered", () => {
  const cancelled = agent({ method: "notifications/cancelled", params: { requestId: 1 } });
  const events = read(call(1), call(1), cancelled, editor({ id: 1, result: {} }));
  expect(events.map(({ ended }) => ended.map(({ request, why }) => [request.n, why]))).toEqual([
    ...[[], [[1, "id-reused"]], [[2, "cancelled"]], []],
  ]);
  expect(events.at(-1)?.messages[0]?.request?.n).toBe(2);
});

test.each(["close", "open"])("%s ends the requests of its connection", (ev) => {
  const other = agent({ id: 2, method: "ping" }, { ch: "c2" });
  const [, , , end, answer] = read(
    ...[call(1), editor({ id: 1, method: "ping" }), other],
    { ev, ch: "c1", code: 1006, reason: "" } as TraceFact,
    editor({ id: 1, result: {} }),
  );
  expect(end?.ended.map(({ request, why }) => [request.n, why])).toEqual([
    ...[
      [1, "closed"],
      [2, "closed"],
    ],
  ]);
  expect(answer?.messages[0]?.request).toBeUndefined();
});

test("a failed request ends with the reason, in its own direction and connection", () => {
  const failed = { ev: "failed", ch: "c1", dir: "agent>ide", id: 1, reason: "refused" } as const;
  const events = read(
    ...[call(1), editor({ id: 1, method: "ping" }), agent({ id: 1, method: "ping" }, { ch: "c2" })],
    failed,
    { ...failed, id: 2 },
  );
  expect(events.map(({ ended }) => ended.map(({ request, ...rest }) => [request.n, rest]))).toEqual(
    [[], [], [], [[1, { why: "failed", reason: "refused", pointer: "" }]], []],
  );
});

test("the reason of a failure omits the method and the address, which its row shows", () => {
  const reason = "tools/call at http://127.0.0.1:3000/mcp: HTTP 503: busy";
  const [, { ended = [] } = {}] = read(call(1), {
    ...{ ev: "failed", ch: "c1", dir: "agent>ide", id: 1, reason },
  });
  expect(ended).toMatchObject([{ reason: "HTTP 503: busy" }]);
});

test("requests before a number are dropped", () => {
  const conversation = new Conversation();
  conversation.add({ n: 1, t: 0, ...call(1) });
  conversation.add({ n: 2, t: 0, ...call(2) });
  conversation.drop(2);
  const answers = [1, 2].map((id) =>
    conversation.add({ n: 2 + id, t: 0, ...editor({ id, result: {} }) }),
  );
  expect(answers.map(({ messages }) => messages[0]?.request?.n)).toEqual([undefined, 2]);
});

test("ids beyond 2^53 are distinguished, in answers, batches and cancellations", () => {
  const raw = (dir: Direction, text: string): TraceFact => ({
    ev: "frame",
    ch: "c1",
    dir,
    raw: text,
  });
  const [one, two] = ["9007199254740992", "9007199254740993"];
  const requests = [one, two].map((id) => raw("agent>ide", `{"id":${id},"method":"ping"}`));
  expect(answered(...requests, raw("ide>agent", `{"id":${two},"result":{}}`))).toEqual([2]);
  expect(answered(...requests, raw("ide>agent", `[{"id":${one},"result":{}}]`))).toEqual([1]);
  const params = `{"requestId":${one}}`;
  const cancel = raw("agent>ide", `{"method":"notifications/cancelled","params":${params}}`);
  const ended = read(...requests, cancel).flatMap((event) => event.ended);
  expect(ended).toMatchObject([{ request: { n: 1, id: one }, why: "cancelled" }]);
});
