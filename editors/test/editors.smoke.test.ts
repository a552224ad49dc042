import { expect, test } from "vitest";
import { kind } from "./kind.ts";
import { openSession } from "./session.ts";
import { findEditor } from "./terminal.ts";

const found = findEditor(kind.program);

test(
  found === undefined
    ? `not run: ${kind.program} or tmux is missing`
    : `${found} shares its selection`,
  async () => {
    if (found === undefined) {
      expect(found).toBeUndefined();
      return;
    }
    const { editor, client } = await openSession(
      (workspace, file) => kind.start(workspace, { files: [file] }),
      "one\nzwei ü 🚀\nthree\n",
    );
    editor.selectTwoLines();
    await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
    expect(client.inbox.context?.text).toBe("one\nzwei ü 🚀");
    editor.quit();
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);
