import { expect, onTestFinished, test } from "vitest";
import { OpencodeTwin } from "../src/twins/opencode-twin.ts";
import type { Place } from "../src/twins/serve-scene.ts";
import { openPlace, startServe, startTwin, write } from "../src/twins/serve-scene.ts";
import { span } from "../src/twins/wire.ts";

function startOpencode(place: Place): OpencodeTwin {
  const { env, folder } = place;
  const twin = OpencodeTwin.start({ env, cwd: folder, retryFactor: 0.05 });
  onTestFinished(() => twin.exit());
  return twin;
}

async function openDay() {
  const place = openPlace("home");
  const serve = startServe(place);
  const { port } = await serve.event("listening");
  const twin = startOpencode(place);
  await twin.untilReady();
  return { place, serve, twin, port };
}

test("opencode connects without sub-protocol and is named", async () => {
  const { place, serve, twin } = await openDay();
  expect(await serve.event("initialized")).toMatchObject({ agent: "opencode", version: "0.0.0" });
  const filePath = write(place, "a.txt", "one\n");
  await serve.do({ do: "select", filePath, selection: span(0, 0, 0, 3) });
  await twin.until("the selection", () => twin.context);
  expect(twin.state).toBe("ready");
  expect(twin.transcript.received().filter((frame) => frame.id !== undefined)).toHaveLength(1);
  expect(twin.violations).toEqual([]);
});

test("its prompts know the selection, before and after it came", async () => {
  const place = openPlace("home");
  const serve = startServe(place);
  await serve.event("listening");
  const filePath = write(place, "ä b 🙂.txt", "zero\none\ntwo\nthree\n");
  await serve.do({ do: "select", filePath, selection: span(2, 0, 3, 5) });
  const twin = startOpencode(place);
  await twin.untilReady();
  await twin.until("the selection", () => twin.context);
  expect(twin.prompt()).toEqual([
    `<system-reminder>Note: The user selected #2-3 from "${filePath}": two\nthree</system-reminder>`,
  ]);
  await serve.do({ do: "select", filePath, selection: span(0, 0, 0, 4) });
  await twin.until("the next", () => twin.prompt()[0]?.includes("#0 from"));
  await serve.do({ do: "open", filePath: write(place, "other.txt", "x") });
  await twin.until("the file", () => twin.prompt()[0]?.includes("opened the file"));
  expect(twin.transcript.dropped()).toEqual([]);
});

test("mentions always carry both lines, of the whole file too", async () => {
  const { serve, twin, place } = await openDay();
  const filePath = write(place, "src/a.txt", "zero\none\ntwo");
  await serve.do({ do: "mention", filePath, lineStart: 1, lineEnd: 2 });
  await serve.do({ do: "mention", filePath });
  await twin.until("both", () => twin.mentions.length === 2);
  expect(twin.mentions[0]).toEqual({ filePath, lineStart: 1, lineEnd: 2 });
  expect(twin.mentions[1]).toEqual({ filePath, lineStart: 0, lineEnd: 2 });
  expect(twin.transcript.dropped()).toEqual([]);
});

test("it comes back after a drop and hears the selection again", async () => {
  const { serve, twin, place } = await openDay();
  const filePath = write(place, "a.txt", "zero\none\n");
  await serve.do({ do: "select", filePath, selection: span(0, 0, 0, 4) });
  await twin.until("the selection", () => twin.context);
  const before = twin.transcript.received("selection_changed").length;
  await serve.do({ do: "drop" });
  await twin.until("the second connection", () => twin.transcript.connection === 2);
  await twin.until(
    "the selection again",
    () => twin.transcript.received("selection_changed").length > before,
  );
  expect(twin.violations).toEqual([]);
});

test("a server that was killed is found again", async () => {
  const { serve, twin, place, port } = await openDay();
  serve.kill("SIGKILL");
  await serve.exited;
  const again = startServe(place);
  expect(await again.event("listening")).toMatchObject({ port });
  await twin.until("back", () => twin.transcript.connection > 1 && twin.state === "ready", 20_000);
});

test("both clients share one editor", async () => {
  const { serve, twin, place } = await openDay();
  const claude = await startTwin(place);
  await claude.untilReady();
  const filePath = write(place, "a.txt", "zero\none\n");
  await serve.do({ do: "select", filePath, selection: span(1, 0, 1, 3) });
  await twin.until("opencode", () => twin.prompt()[0]?.includes("#1 from"));
  await claude.until("claude", () => claude.badge);
  expect((await claude.prompt()).context).toContain("lines 2 to 2");
  const edit = claude.edit(filePath, "new");
  await serve.event("diff-opened");
  twin.exit();
  await serve.event("disconnected");
  await serve.do({ do: "diff", answer: "accept" });
  expect(await edit.result).toMatchObject({ by: "ide", written: "new" });
  expect(claude.violations).toEqual([]);
  expect(twin.violations).toEqual([]);
});
