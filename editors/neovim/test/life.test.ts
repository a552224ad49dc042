import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { locksOf } from "../../test/terminal.ts";
import { Neovim } from "./neovim.ts";

test("another Neovim on the folder joins the first, and serves it when that has ended", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "b.txt", "one\n");
  const first = new Neovim(workspace, { files: ["a.txt"] });
  await first.untilListening();
  const second = new Neovim(workspace, { files: ["b.txt"] });
  await second.until("state", "joined");
  first.command("q");
  await second.untilListening();
  expect(locksOf(workspace)).toHaveLength(1);
});

test("the health report names Node, the command and the folder", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { files: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("checkhealth idewire");
  await neovim.shows(/OK:? Node v\d+/);
  await neovim.shows("listening, 0 agents");
  expect(neovim.screen).toContain(`folder ${workspace.folder}`);
});

test("a change of the directory changes the folders", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "sub/b.txt", "two\n");
  const neovim = new Neovim(workspace, { files: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("cd sub");
  const cwd = join(workspace.folder, "sub");
  const client = await startClient(workspace, { cwd });
  await client.untilReady();
  neovim.command("edit b.txt");
  await client.until("the file", () => client.badge === "⧉ In b.txt");
  expect(client.violations).toEqual([]);
  await client.exit();
});
