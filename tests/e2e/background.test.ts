import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { joinAs } from "../src/terminal-context.ts";

/** A shell in a folder, with a command `serve`. */
function openShell() {
  const fixture = openFixture();
  fixture.file("a.txt", "one\n");
  const shell = openJobShell({ HOME: fixture.home, TERM: "xterm" }, fixture.workspace);
  const idewire = (words: string) => {
    shell.type(`'${process.execPath}' '${builtBin}' ${words}`, "Enter");
  };
  const serve = (more = "") => idewire(`serve ${more}`);
  const lockFiles = () => {
    try {
      return readdirSync(fixture.lockFolder).filter((name) => name.endsWith(".lock"));
    } catch {
      return [];
    }
  };
  const isServed = () => expect.poll(() => lockFiles().length).toBe(1);
  /** Connects an agent, which a stopped process would not answer. */
  async function isAnsweredAt(lockFile = "") {
    const agent = await joinAs(join(fixture.lockFolder, lockFile), "claude-code");
    agent.socket.close();
  }
  async function isAnswered() {
    await isServed();
    await isAnsweredAt(lockFiles()[0]);
  }
  const pid = () => {
    const text = readFileSync(join(fixture.lockFolder, lockFiles()[0] ?? ""), "utf8");
    return (JSON.parse(text) as { readonly pid: number }).pid;
  };
  return { ...fixture, shell, idewire, serve, isServed, isAnswered, isAnsweredAt, lockFiles, pid };
}

async function answersWhileTyped(folder: ReturnType<typeof openShell>): Promise<void> {
  await folder.isAnswered();
  folder.shell.type("echo typed-$((40+2))", "Enter");
  await folder.shell.shows(/typed-42/);
  await folder.isAnswered();
  folder.shell.type("jobs", "Enter");
  await folder.shell.shows(/Running/);
  expect(folder.shell.screen()).not.toMatch(/Stopped/);
}

/** Stops serve with Ctrl-Z, and continues it in the background. */
async function answersAfterStop(folder: ReturnType<typeof openShell>): Promise<void> {
  await folder.shell.shows(/idewire>/);
  folder.shell.type("C-z");
  await folder.shell.shows(/Stopped/);
  folder.shell.type("clear; bg", "Enter");
  await folder.shell.shows(/serve/);
  folder.shell.type("clear", "Enter");
  await answersWhileTyped(folder);
}

test("serve & answers agents and has no prompt, whatever is typed into the shell", async () => {
  const folder = openShell();
  folder.serve("&");
  await answersWhileTyped(folder);
  expect(folder.shell.screen()).not.toContain("idewire>");
});

test("stty tostop does not stop serve &: its output appears in the foreground", async () => {
  const folder = openShell();
  folder.shell.type("stty tostop", "Enter");
  folder.serve("&");
  await answersWhileTyped(folder);
  expect(folder.shell.screen()).not.toContain("Claude Code");
  folder.shell.type("clear; fg", "Enter");
  await folder.shell.shows(/Claude Code[\s\S]*idewire>/);
  folder.shell.type("C-z");
  await folder.shell.shows(/Stopped/);
  folder.shell.type("clear; bg", "Enter");
  await folder.shell.shows(/serve/);
  await folder.isAnswered();
  folder.shell.type("clear; jobs", "Enter");
  await folder.shell.shows(/Running/);
  folder.shell.type("kill %1", "Enter");
  await expect.poll(() => folder.lockFiles()).toEqual([]);
});

test("stty tostop does not stop inspect &, between an agent and its editor", async () => {
  const folder = openShell();
  folder.serve("> /dev/null &");
  await folder.isServed();
  const [editor = ""] = folder.lockFiles();
  folder.shell.type("stty tostop; clear", "Enter");
  folder.idewire("inspect &");
  const proxy = () => folder.lockFiles().find((name) => name !== editor);
  await expect.poll(proxy, { timeout: 20_000 }).toBeDefined();
  // Each frame prints a line.
  await folder.isAnsweredAt(proxy());
  await folder.isAnsweredAt(proxy());
  folder.shell.type("clear; jobs", "Enter");
  await folder.shell.shows(/Running[\s\S]*Running/);
  expect(folder.shell.screen()).not.toMatch(/Stopped|initialize/);
  folder.shell.type("clear; fg", "Enter");
  await folder.shell.shows(/initialize/);
}, 60_000);

test("serve > log & answers agents", async () => {
  const folder = openShell();
  folder.serve("> log &");
  await answersWhileTyped(folder);
});

test("after Ctrl-Z and bg agents are answered, and after fg there is a prompt again", async () => {
  const folder = openShell();
  folder.serve();
  await answersAfterStop(folder);
  folder.shell.type("clear; fg", "Enter");
  await folder.shell.shows(/idewire>/);
  folder.shell.type("list", "Enter");
  await folder.shell.shows(/idewire> list[\s\S]*idewire>/);
});

test("Ctrl-Z stops the program that has started serve as well, and bg continues both", async () => {
  const folder = openShell();
  folder.shell.type(`sh -c "'${process.execPath}' '${builtBin}' serve; true"`, "Enter");
  await answersAfterStop(folder);
});

test("a process that was stopped by a signal and continued in the background answers agents", async () => {
  const folder = openShell();
  folder.serve();
  await folder.shell.shows(/idewire>/);
  await folder.isServed();
  process.kill(folder.pid(), "SIGSTOP");
  await folder.shell.shows(/Stopped/);
  folder.shell.type("clear; bg", "Enter");
  await folder.shell.shows(/serve/);
  folder.shell.type("clear", "Enter");
  await answersWhileTyped(folder);
});

test("in the background it ends by a signal, and removes its lock file", async () => {
  const folder = openShell();
  folder.serve("&");
  await folder.isAnswered();
  folder.shell.type("kill %1", "Enter");
  await expect.poll(() => folder.lockFiles()).toEqual([]);
});
