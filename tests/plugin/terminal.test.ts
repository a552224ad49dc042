import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { verifies } from "../src/verifies.ts";

const vaultFiles = { "Note.md": "Words.\n" };
const vaultName = 'It\'s "mine" $(exit 3) `id` ;&|%PATH% ä';

/** A PATH with exactly these programs, as shell scripts. */
function createPath(programs: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("idewire path ");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const record = join(folder, "record");
  return {
    env: { PATH: bin, RECORD: record },
    recorded: () => (existsSync(record) ? readFileSync(record, "utf8") : ""),
  };
}

const terminal = '[ "$1" = -e ] && shift && exec "$@"';
const claude = `printf '%s|' claude "$@" "$PWD" > "$RECORD"`;

verifies(
  "plugin:1:terminal",
  "a terminal opens in the vault with the agent, by a command, a button and the first steps, whatever the vault is called",
  async () => {
    const { env, recorded } = createPath({ "x-terminal-emulator": terminal, claude });
    const host = await start({ vaultFiles, vaultName, env, firstStart: true });
    const expected = `claude|--ide|--permission-mode|default|${host.vault}|`;
    const button = host.page.getByRole("button", { name: "Open a terminal here" });
    await button.click();
    await expect.poll(recorded).toBe(expected);
    writeFileSync(env.RECORD, "");
    await host.commands.run("terminal");
    await expect.poll(recorded).toBe(expected);
    writeFileSync(env.RECORD, "");
    await host.page.getByRole("button", { name: "Got it" }).click();
    await host.commands.run("connection");
    await button.click();
    await expect.poll(recorded).toBe(expected);
    expect((await host.notices()).join()).not.toContain("No terminal");
    await host.page.keyboard.press("Escape");
    await host.disable();
    expect(await host.leaks()).toEqual({});
  },
);

verifies(
  "plugin:1:terminal",
  "a terminal that cannot open is skipped for the next one",
  async () => {
    const programs = { "x-terminal-emulator": "exit 1", xterm: terminal, claude };
    const { env, recorded } = createPath(programs);
    const host = await start({ vaultFiles, env });
    await host.commands.run("terminal");
    await expect.poll(recorded).toContain("claude|");
  },
);

verifies(
  "plugin:1:terminal",
  "without a terminal a notice has the command to run, which can be copied",
  async () => {
    const { env } = createPath({});
    const host = await start({ vaultFiles, env });
    await host.commands.run("terminal");
    expect(await host.notice(/^No terminal could be opened/)).toContain(
      "claude --ide --permission-mode default",
    );
    await host.page.getByRole("button", { name: "Copy command" }).click();
    await host.notice(/Copied|Could not copy/);
  },
);
