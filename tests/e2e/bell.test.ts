import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { joinAs, propose } from "../src/terminal-context.ts";

// How a person notices a diff while in another window: the bell and the title.

async function openTerminal(flags = "") {
  const workspace = openWorkspace("home", "vault");
  const { fixture, folder } = workspace;
  writeFileSync(join(folder, "plan.md"), "one\n");
  const shell = openJobShell({ ...workspace.env, TERM: "xterm" }, folder);
  const socket = join(fixture.home, "tmux");
  const ask = (format: string) =>
    execFileSync("tmux", ["-S", socket, "display-message", "-p", format], {
      encoding: "utf8",
    }).trim();
  execFileSync("tmux", ["-S", socket, "set-option", "-g", "monitor-bell", "on"]);
  // tmux flags a bell only in inactive windows.
  execFileSync("tmux", ["-S", socket, "new-window", "-d", "-n", "other", "sleep 100"]);
  const before = ask("#{pane_title}");
  shell.type(`'${process.execPath}' '${builtBin}' serve ${flags}`, "Enter");
  await shell.shows(/idewire>/);
  execFileSync("tmux", ["-S", socket, "select-window", "-t", ":1"]);
  const bells = () =>
    execFileSync("tmux", ["-S", socket, "list-windows", "-F", "#{window_bell_flag}"], {
      encoding: "utf8",
    }).split("\n")[0];
  const title = () =>
    execFileSync("tmux", ["-S", socket, "list-panes", "-t", ":0", "-F", "#{pane_title}"], {
      encoding: "utf8",
    }).trim();
  const name = readdirSync(fixture.lockFolder).find((entry) => entry.endsWith(".lock"));
  const agent = await joinAs(join(fixture.lockFolder, String(name)), "claude-code");
  return { ...workspace, shell, agent, before, bells, title };
}

test("a pending diff rings the bell, and is shown in the title until it is answered", async () => {
  const { agent, shell, folder, before, bells, title } = await openTerminal();
  expect(bells()).toBe("0");
  const answers = [
    propose(agent, join(folder, "plan.md"), "two\n"),
    propose(agent, join(folder, "\u001b]2;evil\u0007.md"), "two\n"),
  ];
  await expect.poll(title).toBe("(2) plan.md - idewire");
  expect(bells()).toBe("1");
  shell.type("reject", "Enter");
  await expect.poll(title).toContain("(1) ␛]2;evil");
  shell.type("reject", "Enter");
  await Promise.all(answers);
  await expect.poll(title).toBe(before);
  agent.socket.close();
});

test("with --quiet there is no bell, and the title stays as it is", async () => {
  const { agent, shell, folder, before, bells, title } = await openTerminal("--quiet");
  const answer = propose(agent, join(folder, "plan.md"), "two\n");
  await shell.shows(/proposes to change/);
  expect([bells(), title()]).toEqual(["0", before]);
  shell.type("reject", "Enter");
  await answer;
  agent.socket.close();
});
