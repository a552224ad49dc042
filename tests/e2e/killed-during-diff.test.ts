import { expect, test } from "vitest";
import { openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { joinAs } from "../src/terminal-context.ts";

test("a serve that was killed during a diff lists it when it is started again", async () => {
  const fixture = openFixture();
  const path = fixture.file("a.txt", "one\n");
  const shell = openJobShell({ HOME: fixture.home, TERM: "xterm" }, fixture.workspace);
  const serve = `'${process.execPath}' '${builtBin}' serve --verbose`;
  shell.type(serve, "Enter");
  await shell.shows(/idewire>/);
  const port = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(shell.screen())?.[1];
  const agent = await joinAs(`${fixture.lockFolder}/${port}.lock`, "claude-code");
  agent.propose(path, "two\n");
  await shell.shows(/a\.txt/);
  await new Promise((resolve) => setTimeout(resolve, 200));
  shell.type("C-z");
  await shell.shows(/Stopped/);
  shell.type("kill -9 %1; clear", "Enter");
  shell.type(serve, "Enter");
  await shell.shows(/answer it in\s+Claude Code/);
  expect(shell.screen()).toMatch(/Warning:[\s\S]*a\.txt[\s\S]*Claude Code/);
});
