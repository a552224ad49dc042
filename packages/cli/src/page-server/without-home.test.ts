import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "@idewire/core/internal";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { withoutHome } from "./without-home.ts";

test.each([
  ["/home/me/.claude/ide/1.lock", "~/.claude/ide/1.lock"],
  ["in /home/me, and /home/me/a.", "in ~, and ~/a."],
  ["/home/meg/a and /mnt/home/me/a", "/home/meg/a and /mnt/home/me/a"],
  ["idewire serve /home/me", "idewire serve ~"],
])("a home at the start of a path is shown as ~: %s", (text, shown) => {
  expect(withoutHome(text, "/home/me")).toBe(shown);
});

test.each(["me", "m e", "it's me"])(
  "a command without the home means the same to a shell: %s",
  (name) => {
    const root = temporaryFolder("idewire-home-");
    const home = join(root, name);
    const file = join(home, "a file's name");
    mkdirSync(home);
    writeFileSync(file, "found");
    const shown = withoutHome(`cat ${shellQuote(file)}`, home);
    expect(shown).not.toContain(root);
    const output = execFileSync("sh", ["-c", shown], { env: { ...process.env, HOME: home } });
    expect(output.toString()).toBe("found");
  },
);
