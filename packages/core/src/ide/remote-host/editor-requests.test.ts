import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { connectedEditor } from "../../testing/editor-fixture.ts";
import { sampleDiff } from "../../testing/sample-values.ts";

test("a mention as a request is answered with the sessions that receive it", async () => {
  const { wire } = await connectedEditor([], { mention: async () => ["s1", "s2"] });
  wire.request(2, "host/mention", { path: "/notes/a.txt" });
  expect(await wire.take()).toMatchObject([{ id: 2, result: { sessions: ["s1", "s2"] } }]);
});

test("a mention that no agent receives is answered with error 1 and the reason", async () => {
  const { wire } = await connectedEditor([], {
    async mention() {
      throw new ToolFailure("no agent is connected");
    },
  });
  wire.request(2, "host/mention", { path: "/notes/a.txt" });
  expect(await wire.take()).toMatchObject([
    { id: 2, error: { code: 1, message: "no agent is connected" } },
  ]);
});

test("an editor changes the share level, and reads it", async () => {
  const { wire } = await connectedEditor([], {
    share: async (_, { level, exclude }) => (exclude?.[0] === "secrets/**" ? level : "off"),
  });
  wire.request(2, "host/share", { level: "path", exclude: ["secrets/**"] });
  expect(await wire.take()).toMatchObject([{ id: 2, result: { level: "path" } }]);
  wire.request(3, "host/share", { level: "everything" });
  expect(await wire.take()).toMatchObject([{ id: 3, error: { code: -32602 } }]);
});

test("an editor receives no half of a surrogate pair, and accepts what it was shown", async () => {
  const { host, wire } = await connectedEditor(["openDiff"]);
  const proposed = "a \ud83d b \ud83d\ude80\r\nc";
  const outcome = host.openDiff?.(sampleDiff({ proposed }), new AbortController().signal);
  const [asked] = await wire.take();
  const shown = "a \ufffd b \ud83d\ude80\r\nc";
  expect(asked).toMatchObject({ params: { proposed: shown } });
  wire.answer(asked?.id, { kind: "accepted" });
  expect(await outcome).toEqual({ kind: "accepted", text: shown, edited: true });
});
