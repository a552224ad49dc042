import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../tests/src/reference-clients/serve-context.ts";
import type { Editor } from "./editor.ts";
import { kind, otherKind } from "./kind.ts";
import { locksOf } from "./terminal.ts";

// Several editors share one folder; agents see the state of the one that last had the focus.

/** Two editors of this kind and one of the other, the first of which serves, and a connected client. */
async function openThree() {
  const workspace = openWorkspace();
  const text = "one\ntwo\nthree\nfour\n";
  // An editor asks the person before it opens a file that another of its kind has open.
  const [path = ""] = ["a.txt", "b.txt", "c.txt"].map((name) => write(workspace, name, text));
  const first = kind.start(workspace, { files: ["a.txt"] });
  await first.untilListening();
  const second = kind.start(workspace, { files: ["b.txt"] });
  await second.until("state", "joined");
  const third = otherKind.start(workspace, { files: ["c.txt"] });
  await third.until("state", "joined");
  const client = await startClient(workspace);
  await client.untilReady();
  const untilSelected = (text: string) =>
    client.until(`the selection ${text}`, () => client.inbox.context?.text === text);
  return { workspace, path, first, second, third, client, untilSelected };
}

test("agents are connected to the editor in use, of three on a folder", async () => {
  const { path, first, second, third, client, untilSelected } = await openThree();
  for (const editor of [first, second, third]) await editor.until("agents", 1);
  first.selectLine();
  await untilSelected("one");
  second.down();
  second.selectLine();
  await untilSelected("two");
  third.selectTwoLines();
  await untilSelected("one\ntwo");
  const changed = "one\nTWO\nthree\nfour\n";
  const edit = client.edit(path, changed);
  await third.until("pending", 1);
  expect([first.read("pending"), second.read("pending")]).toEqual([0, 0]);
  third.acceptByName();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await expect.poll(() => readFileSync(path, "utf8")).toBe(changed);
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("when the serving process is killed, another takes over, and all editors continue", async () => {
  const { workspace, first, second, third, client, untilSelected } = await openThree();
  const [lock] = locksOf(workspace);
  process.kill(first.read("hostPid"), "SIGKILL");
  const rest: readonly Editor[] = [second, third];
  const states = () => rest.map((editor) => editor.read("state")).sort();
  await expect.poll(states, { timeout: 5_000 }).toEqual(["joined", "listening"]);
  expect(locksOf(workspace)).toEqual([lock]);
  await client.untilReady();
  third.down();
  third.selectLine();
  await untilSelected("two");
  second.selectLine();
  await untilSelected("one");
  // The first editor's plugin restarts its process, which joins.
  await first.until("state", "joined");
  first.down();
  first.selectLine();
  await untilSelected("two");
  await client.exit();
});
