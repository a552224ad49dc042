import { PassThrough } from "node:stream";
import { createMemoryWorkspace } from "@idewire/paired-comments";
import { expect, test } from "vitest";
import { createPrinter } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { showProgress } from "./show-progress.ts";

/** A terminal, and a workspace of three files; `read` takes a given time. */
async function open() {
  const stderr = Object.assign(new PassThrough().setEncoding("utf8"), { isTTY: true });
  let now = 0;
  const progress = showProgress(stderr, () => now);
  const files = { "a.js.comments": "", "b.js.comments": "", "c.js.comments": "" };
  const workspace = progress.count(createMemoryWorkspace(files));
  await workspace.list();
  const read = async (path: string, ms: number) => {
    await workspace.readComments(path);
    now += ms;
  };
  const shown = (): string => stderr.read() ?? "";
  return { stderr, progress, read, shown };
}

test("after half a second one line shows the number of files read, and disappears at the end", async () => {
  const { progress, read, shown } = await open();
  await read("a.js", 499);
  await read("b.js", 1);
  expect(shown()).toBe("");
  await read("c.js", 99);
  expect(shown()).toBe("2 of 3 files\r");
  await read("c.js", 1);
  expect(shown()).toBe("");
  await read("c.js", 1);
  expect(shown()).toBe("3 of 3 files\r");
  progress.end();
  expect(shown()).toBe(`${" ".repeat("3 of 3 files".length)}\r`);
  progress.end();
  await read("c.js", 1_000);
  await read("c.js", 1_000);
  expect(shown()).toBe("");
});

test("printed output starts on a line of its own", async () => {
  const { stderr, progress, read, shown } = await open();
  const stdin = new PassThrough();
  const io = { stdin, stdout: new PassThrough(), stderr, env: {}, cwd: "/" };
  const printer = progress.before(
    createPrinter({ ...io, onSignal: () => () => {}, exit: () => {} }),
  );
  await read("a.js", 500);
  await read("b.js", 1);
  printer.fail(line`done`);
  expect(shown()).toBe(`1 of 3 files\r${" ".repeat("1 of 3 files".length)}\rdone\n`);
});
