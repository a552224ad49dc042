import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";
import type { ClaudeTwinOptions } from "./claude-options.ts";
import type { Scene } from "./scene.ts";
import { playClaude } from "./scene.ts";
import { span } from "./wire.ts";

const selection = span(1, 0, 2, 3);
const first = { filePath: "/w/first.txt", text: "x", selection: span(0, 0, 0, 1) };

/** A twin that has its handlers in place and holds `first`. */
async function listening(options: Partial<ClaudeTwinOptions> = {}): Promise<Scene> {
  const scene = await playClaude({ selection: first }, options);
  await scene.twin.until("hearing", () => scene.twin.badge);
  return scene;
}

/** Sends a notification and waits until the twin has read it. */
async function tell({ server, twin }: Scene, method: string, params: object): Promise<void> {
  const before = twin.transcript.received(method).length;
  server.notify(method, params);
  await twin.until("read", () => twin.transcript.received(method).length > before);
}

verifies(
  ["cli:6:lines-selected", "cli:6:line-plus-one", "cli:6:line-count", "cli:6:context-role"],
  "a selected text reaches the model with its lines",
  async () => {
    const scene = await listening();
    await tell(scene, "selection_changed", { filePath: "/w/a.txt", text: "two\nthr", selection });
    expect(scene.twin.badge).toBe("⧉ 2 lines selected");
    expect(await scene.twin.prompt("why?")).toMatchObject({
      role: "system",
      context: "The user selected the lines 2 to 3 from /w/a.txt:\ntwo\nthr",
    });
    const whole = { filePath: "/w/a.txt", text: "two\n", selection: span(1, 0, 2, 0) };
    await tell(scene, "selection_changed", whole);
    expect(scene.twin.badge).toBe("⧉ 1 line selected");
    expect((await scene.twin.prompt()).context).toContain("lines 2 to 2 from");
  },
);

verifies(
  "cli:6:old-line-raw",
  "older versions tell the 0-based number, as a reminder",
  async () => {
    const scene = await listening({ version: "1.0.128" });
    const one = { filePath: "/w/a.txt", text: "two", selection: span(1, 0, 1, 3) };
    await tell(scene, "selection_changed", one);
    expect(await scene.twin.prompt()).toMatchObject({
      role: "user",
      context: expect.stringContaining("lines 1 to 1"),
    });
  },
);

verifies("cli:6:text-cut", "the text is cut at 2,000 characters", async () => {
  const scene = await listening();
  const text = "y".repeat(3000);
  await tell(scene, "selection_changed", { filePath: "/w/a.txt", text, selection });
  expect((await scene.twin.prompt()).context?.match(/y/g)).toHaveLength(2000);
});

verifies("cli:6:file-opened", "a path without text is an open file", async () => {
  const scene = await listening();
  for (const text of ["", undefined]) {
    const params = { filePath: "/w/b c.txt", text, selection: span(4, 2, 4, 2) };
    await tell(scene, "selection_changed", params);
    expect(scene.twin.badge).toBe("⧉ In b c.txt");
    expect((await scene.twin.prompt()).context).toBe(
      "The user opened the file /w/b c.txt in the IDE",
    );
  }
});

verifies("cli:6:extra-keys", "extra keys and broken numbers pass", async () => {
  const scene = await listening();
  await tell(scene, "selection_changed", {
    filePath: "/w/a.txt",
    fileUrl: "file:///w/a.txt",
    text: "q",
    selection: { ...span(1.5, 0, 1.5, 2), isEmpty: false },
  });
  expect(scene.twin.inbox.context).toMatchObject({ text: "q", startLine: 1.5 });
  expect(scene.twin.violations).toEqual([]);
});

verifies("cli:6:null-selection", "a selection of null or none changes nothing", async () => {
  const scene = await listening();
  await tell(scene, "selection_changed", { selection: null });
  await tell(scene, "selection_changed", { text: "", filePath: "/w/other.txt" });
  expect(scene.twin.inbox.context?.filePath).toBe("/w/first.txt");
  expect(scene.twin.violations).toEqual([]);
});

verifies("cli:6:clear", "zero width, no path and no text clear", async () => {
  for (const more of [{}, { text: "" }]) {
    const scene = await listening();
    await tell(scene, "selection_changed", { ...more, selection: span(0, 0, 0, 0) });
    expect(scene.twin.badge).toBeUndefined();
    expect((await scene.twin.prompt()).context).toBeUndefined();
  }
});

verifies("cli:6:consumed", "one prompt uses the selection up", async () => {
  const { twin } = await listening();
  expect((await twin.prompt()).context).toContain("/w/first.txt");
  expect((await twin.prompt()).context).toBeUndefined();
});

verifies("cli:6:path-as-given", "paths are passed on unchanged", async () => {
  const scene = await listening();
  for (const filePath of ["/outside/x.txt", "relative/x.txt", "C:\\w\\x.txt"]) {
    await tell(scene, "selection_changed", { filePath, text: "x", selection });
    expect((await scene.twin.prompt()).context).toContain(`from ${filePath}:`);
  }
});

verifies(
  ["cli:6:no-prefix", "cli:6:no-effect"],
  "prefixed and unknown methods do nothing",
  async () => {
    const scene = await listening();
    const other = { filePath: "/w/other.txt", text: "o", selection };
    await tell(scene, "notifications/selection_changed", other);
    await tell(scene, "notifications/message", { level: "info", data: "x" });
    await tell(scene, "diagnostics_changed", { uris: [] });
    await tell(scene, "no_such_thing", {});
    expect(scene.twin.inbox.context?.filePath).toBe("/w/first.txt");
    expect(scene.twin.transcript.dropped("unknown-method")).toHaveLength(4);
    expect(scene.twin.transcript.rules()).toEqual(["prefixed-method"]);
  },
);

verifies("cli:6:log-event", "log_event is telemetry", async () => {
  const scene = await listening();
  await tell(scene, "log_event", { eventName: "x", eventData: {} });
  expect([scene.twin.promptInput, scene.twin.violations]).toEqual(["", []]);
  await tell(scene, "log_event", { eventName: "x" });
  expect(scene.twin.transcript.rules()).toEqual(["notification-schema"]);
});

verifies(
  ["cli:6:mention-text", "cli:6:mention-lines", "cli:6:mention-one-line", "cli:6:mention-read"],
  "a mention types its path and reads its lines",
  async () => {
    const scene = await listening();
    const filePath = scene.stage.file("deep/a.txt", "zero\none\ntwo\nthree\n");
    await tell(scene, "at_mentioned", { filePath });
    await tell(scene, "at_mentioned", { filePath, lineStart: 1, lineEnd: 2 });
    await tell(scene, "at_mentioned", { filePath, lineStart: 1, lineEnd: 1 });
    await tell(scene, "at_mentioned", { filePath, lineStart: 1 });
    const input = "@deep/a.txt @deep/a.txt#L2-3 @deep/a.txt#L2 @deep/a.txt ";
    expect(scene.twin.promptInput).toBe(input);
    const { typed, attachments } = await scene.twin.prompt("explain");
    expect(typed).toBe(`${input}explain`);
    expect(attachments.slice(1, 3)).toEqual(["one\ntwo", "one"]);
    expect(scene.twin.promptInput).toBe("");
  },
);

verifies(
  ["cli:6:mention-outside", "cli:6:mention-spaces", "cli:6:mention-folder"],
  "odd places are typed as they are",
  async () => {
    const scene = await listening();
    const { workspace, root } = scene.stage;
    await tell(scene, "at_mentioned", { filePath: join(root, "out", "o.txt") });
    await tell(scene, "at_mentioned", { filePath: join(workspace, "b c.txt") });
    await tell(scene, "at_mentioned", { filePath: workspace });
    expect(scene.twin.promptInput).toBe("@../out/o.txt @b c.txt @ ");
  },
);

verifies("cli:1:null-drops", "null in one of four keys drops the notification", async () => {
  const scene = await listening();
  const whole = { filePath: "/w/a.txt", text: "n", selection };
  await tell(scene, "selection_changed", { ...whole, text: null });
  await tell(scene, "selection_changed", { ...whole, filePath: null });
  await tell(scene, "at_mentioned", { filePath: null });
  await tell(scene, "at_mentioned", { filePath: "/w/a.txt", lineStart: null, lineEnd: 3 });
  await tell(scene, "at_mentioned", { filePath: "/w/a.txt", lineStart: 3, lineEnd: null });
  expect(scene.twin.inbox.context?.filePath).toBe("/w/first.txt");
  expect(scene.twin.promptInput).toBe("");
  expect(scene.twin.transcript.dropped("null")).toHaveLength(5);
  expect(scene.twin.transcript.rules()).toEqual(["null-key"]);
});
