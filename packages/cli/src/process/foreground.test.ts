import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { holdInBackground, type TerminalJob } from "./foreground.ts";

/** A process in a terminal that another program controls, and what its terminal shows. */
function openTerminal({ isTTY = true } = {}) {
  const state = { isForeground: false, takesOutput: false };
  let onContinue = () => {};
  const job: TerminalJob = {
    isForeground: () => state.isForeground,
    takesOutput: () => state.takesOutput,
    stop() {},
    onContinue(listener) {
      onContinue = listener;
      return () => {};
    },
  };
  const output = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  let shown = "";
  output.on("data", (text: string) => {
    shown += text;
  });
  const release = holdInBackground([output], job);
  onTestFinished(release);
  const move = (isForeground: boolean) => {
    state.isForeground = isForeground;
    onContinue();
  };
  return { state, output, move, release, shown: () => shown };
}

test("in the background of a terminal that stops writers, output waits for the foreground", async () => {
  const { output, move, shown } = openTerminal();
  output.write("one\n");
  move(false);
  output.write("two\n");
  await new Promise((done) => setTimeout(done, 600));
  expect(shown()).toBe("");
  move(true);
  output.write("three\n");
  await expect.poll(shown).toBe("one\ntwo\nthree\n");
  move(false);
  output.write("four\n");
  await new Promise((done) => setTimeout(done, 50));
  expect(shown()).toBe("one\ntwo\nthree\n");
});

test("in the background of another terminal, output appears, until it stops writers", async () => {
  const { output, state, shown } = openTerminal();
  state.takesOutput = true;
  output.write("one\n");
  await expect.poll(shown).toBe("one\n");
  state.takesOutput = false;
  output.write("two\n");
  await new Promise((done) => setTimeout(done, 600));
  expect(shown()).toBe("one\n");
});

test("the last words are written at the end if the terminal takes them", async () => {
  const { output, state, release, shown } = openTerminal();
  output.write("Stopped\n");
  release();
  expect(shown()).toBe("");
  state.takesOutput = true;
  release();
  await expect.poll(shown).toBe("Stopped\n");
});

test("a file is written at once", async () => {
  const { output, shown } = openTerminal({ isTTY: false });
  output.write("one\n");
  await expect.poll(shown).toBe("one\n");
});
