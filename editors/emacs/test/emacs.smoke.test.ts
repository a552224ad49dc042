import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { Emacs, findEmacs } from "./emacs.ts";

const found = findEmacs();

test(
  found === undefined ? "not run: emacs or tmux is missing" : `${found} shares its selection`,
  async () => {
    if (found === undefined) {
      expect(found).toBeUndefined();
      return;
    }
    const workspace = openWorkspace();
    write(workspace, "a.txt", "one\nzwei ü 🚀\nthree\n");
    const emacs = new Emacs(workspace, { args: ["a.txt"] });
    await emacs.untilListening();
    const client = await startClient(workspace);
    await client.untilReady();
    emacs.keys("C-Space", "C-n", "C-e");
    await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
    expect(client.inbox.context?.text).toBe("one\nzwei ü 🚀");
    emacs.keys("C-x", "C-c");
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);
