import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { authorInVault } from "./author.ts";

/** A vault inside or outside a repository; the person's git has a global name. */
function openVault({ isInRepository }: { readonly isInRepository: boolean }) {
  const home = temporaryFolder("author-");
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ann Everywhere\n");
  const env = {
    ...{ HOME: home, USER: "account", PATH: process.env["PATH"] },
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const repository = join(home, "notes");
  const vault = join(repository, "vault");
  mkdirSync(vault, { recursive: true });
  if (isInRepository) execFileSync("git", ["init", "--quiet"], { cwd: repository, env });
  const configure = (text: string) => appendFileSync(join(repository, ".git/config"), text);
  return { repository, vault, env, configure };
}

test("the author in a vault under git is the user name of its configuration", async () => {
  const { vault, env, configure } = openVault({ isInRepository: true });
  expect(await authorInVault(vault, env)).toBe("Ann Everywhere");
  configure('[user]\n\tname = " Ann\\n of Notes "\n');
  expect(await authorInVault(vault, env)).toBe("Ann of Notes");
});

test("the author in a vault outside a repository is the account, whatever git is configured with", async () => {
  const { vault, env } = openVault({ isInRepository: false });
  expect(await authorInVault(vault, env)).toBe("account");
});

test("the author is the account where there is no git, or git cannot read the repository", async () => {
  const { vault, env, configure, repository } = openVault({ isInRepository: true });
  expect(await authorInVault(vault, { ...env, PATH: join(repository, "none") })).toBe("account");
  configure("[user\n");
  expect(await authorInVault(vault, env)).toBe("account");
  expect(await authorInVault(vault, { ...env, USER: undefined, USERNAME: "windows" })).toBe(
    "windows",
  );
});

test.skipIf(process.platform === "win32")(
  "no program that a vault's repository names is run for the author",
  async () => {
    const { vault, env, configure, repository } = openVault({ isInRepository: true });
    const mark = join(repository, "ran");
    const program = join(vault, "git");
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    configure(`[core]\n\tfsmonitor = ${program}\n\thooksPath = ${vault}\n\tpager = ${program}\n`);
    expect(await authorInVault(vault, { ...env, PATH: `.:${env.PATH}` })).toBe("Ann Everywhere");
    expect(existsSync(mark)).toBe(false);
  },
);
