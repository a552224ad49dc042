import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { connectedEditor } from "../../testing/editor-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDiff } from "../../testing/sample-values.ts";

const path = posixPath("/notes/a.txt");

test("an invalid answer of the editor is a protocol error with its name", async () => {
  const { host, wire } = await connectedEditor(["read", "openDiff", "diagnostics"]);
  const read = host.read(path);
  const [request] = await wire.take();
  wire.answer(request?.id, { text: 7 });
  await expect(read).rejects.toMatchObject({
    code: "protocol",
    message: "The editor's answer to host/read: text: expected string, got 7",
  });
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  const [shown] = await wire.take();
  wire.answer(shown?.id, { kind: "maybe" });
  await expect(outcome).rejects.toThrow('host/openDiff: kind: expected ("accepted" | ');
});

const proposal = sampleDiff({ path });

test("an acceptance without a text is of the proposed text", async () => {
  const { host, wire } = await connectedEditor(["openDiff"]);
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  const [shown] = await wire.take();
  expect(shown?.params).toEqual(proposal);
  wire.answer(shown?.id, { kind: "accepted" });
  expect(await outcome).toEqual({ kind: "accepted", text: "new\n", edited: false });
});

test("a request that is not answered times out, and so does closing a diff", async () => {
  const { host, wire, clock } = await connectedEditor(["read", "openDiff"]);
  const read = host.read(path);
  const controller = new AbortController();
  const outcome = host.openDiff?.(proposal, controller.signal);
  await wire.take();
  for (let passed = 0; passed <= 31_000; passed += 64) clock.advance(64);
  await expect(read).rejects.toThrow(
    new ToolFailure("The editor did not answer host/read within 30 s"),
  );
  controller.abort();
  expect(await wire.take()).toMatchObject([
    { method: "host/closeDiff", params: { id: "d1", why: "asked" } },
  ]);
  for (let passed = 0; passed <= 6_000; passed += 64) clock.advance(64);
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("closing a diff twice asks the editor once", async () => {
  const { host, wire } = await connectedEditor(["openDiff", "closeDiff"]);
  const controller = new AbortController();
  const outcome = host.openDiff?.(proposal, controller.signal);
  await wire.take();
  controller.abort("answered-elsewhere");
  const closed = host.closeDiff?.("d1", "answered-elsewhere");
  const requests = await wire.take();
  expect(requests).toMatchObject([{ params: { id: "d1", why: "answered-elsewhere" } }]);
  wire.answer(requests[0]?.id, { alreadyClosed: false, text: "so far" });
  expect(await closed).toEqual({ alreadyClosed: false, text: "so far" });
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("beyond the limit of pending requests diffs are refused, but can be closed", async () => {
  const { host, wire } = await connectedEditor(["openDiff", "closeDiff"]);
  const open = (id: string) => host.openDiff?.({ ...proposal, id }, new AbortController().signal);
  const waiting = Array.from({ length: 200 }, (_, index) => open(`d${index}`));
  await expect(open("more")).rejects.toThrow("The editor is busy: 200 requests are pending");
  const shown = await wire.take();
  wire.answer(shown[0]?.id, { kind: "rejected" });
  await waiting[0];
  void open("next");
  expect(await wire.take()).toMatchObject([{ params: { id: "next" } }]);
  const closed = host.closeDiff?.("d7", "asked");
  const [request] = await wire.take();
  wire.answer(request?.id, { alreadyClosed: false });
  expect(await closed).toEqual({ alreadyClosed: false });
  expect(await waiting[7]).toEqual({ kind: "cancelled" });
});
