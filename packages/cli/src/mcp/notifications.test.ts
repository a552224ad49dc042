import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createPrinter } from "../output/print.ts";
import { Notifications } from "./notifications.ts";

function open() {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const stdout = new PassThrough({ highWaterMark: 10_000_000 });
  const io = { stdin, stdout, stderr, env: {}, cwd: "/", onSignal: () => () => {}, exit: () => {} };
  const notifications = new Notifications({ run: { isJson: true }, printer: createPrinter(io) });
  const changed = (list: string) => notifications.receive(`notifications/${list}/list_changed`, {});
  const shown = (): unknown[] => linesOf(stdout).map((each) => JSON.parse(each));
  return { notifications, shown, failed: () => linesOf(stderr), changed };
}

/** The lines written since the last call. */
function linesOf(stream: PassThrough): readonly string[] {
  return String(stream.read() ?? "")
    .split("\n")
    .slice(0, -1);
}

const event = (list: string) => ({
  event: "notification",
  method: `notifications/${list}/list_changed`,
  params: {},
});

test("notifications before the release are shown by it in order, later ones at once", () => {
  const { notifications, shown, failed, changed } = open();
  changed("tools");
  changed("prompts");
  expect(shown()).toEqual([]);
  notifications.release();
  expect(shown()).toEqual([event("tools"), event("prompts")]);
  changed("resources");
  expect(shown()).toEqual([event("resources")]);
  expect(failed()).toEqual([]);
});

test("log messages are never held, however many arrive", () => {
  const { notifications, shown, failed, changed } = open();
  const params = { level: "info", data: "x".repeat(10_000) };
  for (let count = 0; count < 200; count++) notifications.receive("notifications/message", params);
  changed("tools");
  notifications.release();
  notifications.receive("notifications/message", params);
  expect([shown(), failed()]).toEqual([[event("tools")], []]);
});

test("of endless server notifications the first megabyte is held, and the rest is counted", () => {
  const { notifications, shown, failed } = open();
  const params = { uri: "x".repeat(100_000) };
  for (let count = 0; count < 200; count++) notifications.receive("notifications/more", params);
  notifications.release();
  expect(shown()).toHaveLength(9);
  expect(failed()).toEqual(["191 earlier notifications are not shown: there were too many."]);
});
