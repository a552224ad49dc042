import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { findNeovim, Neovim } from "./neovim.ts";

const found = findNeovim();

test(
  found === undefined ? "not run: nvim or tmux is missing" : `${found} shares its selection`,
  async () => {
    if (found === undefined) {
      expect(found).toBeUndefined();
      return;
    }
    const workspace = openWorkspace();
    write(workspace, "a.txt", "one\nzwei ü 🚀\nthree\n");
    const neovim = new Neovim(workspace, { args: ["a.txt"] });
    await neovim.untilListening();
    const client = await startClient(workspace);
    await client.untilReady();
    neovim.keys("V", "j");
    await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
    expect(client.inbox.context?.text).toBe("one\nzwei ü 🚀");
    neovim.command("q");
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);
