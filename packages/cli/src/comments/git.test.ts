import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openGit } from "@idewire/node-server/internal/files";
import { expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";

/** An unpacked folder: a repository with a comment on a file, both changed since the only commit. */
async function openUnpacked() {
  const opened = openCommentsFolder("call(3);\n");
  const { folder, run, write } = opened;
  const git = (cwd: string, ...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ann", "-c", "user.email=a@b", ...words], {
      cwd,
      stdio: "pipe",
      timeout: 5_000,
    });
  const commit = (cwd: string) => {
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "--message", "all");
  };
  git(folder, "init", "--quiet", "--initial-branch=main");
  await run(["add", "a.js:1", "Why three?"]);
  write("b.js", "other();\n");
  commit(folder);
  write("a.js", "call(4);\n");
  const mark = join(folder, "..", `ran-${Math.random()}`);
  const program = join(folder, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  const configure = (text: string, at = folder) => appendFileSync(join(at, ".git/config"), text);
  const hasRun = () => existsSync(mark);
  /** Whether git itself runs the program; otherwise the test does not try an attack. */
  const isAttack = () => {
    makeIndexOld(folder);
    for (const command of [["diff", "HEAD"], ["status"], ["log", "-1"]]) {
      try {
        git(folder, ...command);
      } catch {
        // Git fails, since the program does not work as a transport or filter.
      }
    }
    return hasRun();
  };
  return { ...opened, git, commit, program, configure, hasRun, isAttack };
}

type Unpacked = Awaited<ReturnType<typeof openUnpacked>>;

function filterAll({ configure, folder, program }: Unpacked, name: string, how: string): void {
  configure(`[filter "${name}"]\n\t${how} = ${program}\n\trequired = true\n`);
  writeFileSync(join(folder, ".git/info/attributes"), `* filter=${name}\n`);
}

/** Commits, signed, the removal of a file with a comment: its new name is then looked up in the log. */
async function removeSigned({ folder, git, commit, run, write }: Unpacked): Promise<void> {
  write("gone.js", "gone();\n");
  await run(["add", "gone.js:1", "Where is it?"]);
  commit(folder);
  rmSync(join(folder, "gone.js"));
  commit(folder);
  const [head = "", ...text] = git(folder, "cat-file", "commit", "HEAD").toString().split("\n\n");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----";
  writeFileSync(join(folder, "signed"), [`${head}\n${signature}`, ...text].join("\n\n"));
  const words = ["hash-object", "-t", "commit", "-w", "signed"];
  git(
    folder,
    "update-ref",
    "HEAD",
    git(folder, ...words)
      .toString()
      .trim(),
  );
}

/** Git updates an index whose times differ from those of the files, and reports that to a hook. */
function makeIndexOld(folder: string): void {
  const { mtimeMs } = statSync(join(folder, "b.js"));
  utimesSync(join(folder, "b.js"), 1, Math.floor(mtimeMs / 1_000) - 60);
}

const attacks: Readonly<Record<string, (unpacked: Unpacked) => void | Promise<void>>> = {
  fsmonitor: ({ configure, program }) => configure(`[core]\n\tfsmonitor = ${program}\n`),
  "a filter": (unpacked) => filterAll(unpacked, "any", "clean"),
  "a filter that is a process": (unpacked) => filterAll(unpacked, "any", "process"),
  "a filter whose name has an equals sign": (unpacked) => filterAll(unpacked, "a=b.c", "clean"),
  "a filter of an included file": (unpacked) => {
    filterAll(unpacked, "any", "smudge");
    writeFileSync(join(unpacked.folder, "more"), `[filter "any"]\n\tclean = ${unpacked.program}\n`);
    unpacked.configure("[include]\n\tpath = ../more\n");
  },
  "a hook": ({ folder, program }) => {
    makeIndexOld(folder);
    copyFileSync(program, join(folder, ".git/hooks/post-index-change"));
  },
  "a hook elsewhere": ({ folder, program, configure }) => {
    makeIndexOld(folder);
    mkdirSync(join(folder, "hooks"));
    copyFileSync(program, join(folder, "hooks/post-index-change"));
    configure("[core]\n\thooksPath = hooks\n");
  },
  "an external diff": ({ configure, program }) => configure(`[diff]\n\texternal = ${program}\n`),
  textconv: ({ folder, configure, program }) => {
    configure(`[diff "any"]\n\ttextconv = ${program}\n`);
    writeFileSync(join(folder, ".git/info/attributes"), "* diff=any\n");
  },
  "fsmonitor of a submodule": ({ folder, git, commit, program, configure }) => {
    const inner = join(folder, "inner");
    mkdirSync(inner);
    git(inner, "init", "--quiet");
    writeFileSync(join(inner, "c"), "");
    commit(inner);
    git(folder, "add", "inner");
    configure(`[core]\n\tfsmonitor = ${program}\n`, inner);
  },
  "the verification of signatures in a log": async (unpacked) => {
    await removeSigned(unpacked);
    unpacked.configure(`[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${unpacked.program}\n`);
  },
  "the verification of signatures of one format": async (unpacked) => {
    await removeSigned(unpacked);
    unpacked.configure(
      `[log]\n\tshowSignature = true\n[gpg "openpgp"]\n\tprogram = ${unpacked.program}\n`,
    );
  },
  "a filter of the configuration of a worktree": (unpacked) => {
    const { folder, program, configure } = unpacked;
    filterAll(unpacked, "any", "smudge");
    configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
    writeFileSync(join(folder, ".git/config.worktree"), `[filter "any"]\n\tclean = ${program}\n`);
  },
  "a repository elsewhere in the folder": (unpacked) => {
    const { folder, program, configure } = unpacked;
    configure(`[core]\n\tfsmonitor = ${program}\n`);
    renameSync(join(folder, ".git"), join(folder, "else"));
    writeFileSync(join(folder, ".git"), "gitdir: else\n");
  },
  "a filter of a conditional include": (unpacked) => {
    const { folder, program, configure } = unpacked;
    filterAll(unpacked, "any", "smudge");
    writeFileSync(join(folder, "more"), `[filter "any"]\n\tclean = ${program}\n`);
    configure('[includeIf "onbranch:main"]\n\tpath = ../more\n');
  },
  "an external diff of an attribute": ({ folder, configure, program }) => {
    configure(`[diff "any"]\n\tcommand = ${program}\n`);
    writeFileSync(join(folder, ".git/info/attributes"), "* diff=any\n");
  },
  "the transport of a partial clone": ({ folder, configure, program, commit, git }) => {
    commit(folder);
    const objects = join(folder, ".git/objects");
    const earlier = git(folder, "rev-parse", "HEAD:a.js").toString().trim();
    rmSync(join(objects, earlier.slice(0, 2), earlier.slice(2)), { force: true });
    configure(
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n` +
        `[remote "origin"]\n\tpromisor = true\n\turl = ext::${program}\n[protocol "ext"]\n\tallow = always\n`,
    );
  },
};

test.each(Object.entries(attacks))(
  "check and merge run nothing from a repository's configuration: %s",
  async (_, attack) => {
    const unpacked = await openUnpacked();
    await attack(unpacked);
    const { run, write, hasRun } = unpacked;
    write("a.js", "call(5);\n");
    await run(["check", "--since", "HEAD"]);
    await run(["merge", "a.js"]);
    await run(["add", "a.js:1", "Why six?"]);
    expect(hasRun()).toBe(false);
    write("a.js", "call(6);\n");
    // Polled, as the program cannot run while another process still has it open for writing.
    await expect.poll(unpacked.isAttack).toBe(true);
  },
);

test.runIf(process.platform === "linux").each(["core.attributesFile", "diff.orderFile"])(
  "git reads no endless file that a repository's configuration names: %s",
  async (name) => {
    const unpacked = await openUnpacked();
    const [section = "", member = ""] = name.split(".");
    unpacked.configure(`[${section}]\n\t${member} = /dev/zero\n`);
    const { code, errors } = await unpacked.run(["check", "--since", "HEAD"]);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^idewire: git: fatal: Out of memory/),
    ]);
  },
);

test.skipIf(process.platform === "win32")(
  "git does not wait for a pipe in place of a file of a repository",
  async () => {
    const { folder } = await openUnpacked();
    execFileSync("mkfifo", [join(folder, ".gitattributes")]);
    await expect(openGit(folder, { timeoutMs: 500 })("diff", "HEAD")).rejects.toThrow(
      "git has not ended within 0.5 s",
    );
  },
);

test("a repository with a filter is still compared", async () => {
  const unpacked = await openUnpacked();
  filterAll(unpacked, "a=b.c", "clean");
  const { code, output, errors } = await unpacked.run(["check", "--since", "HEAD"]);
  expect([code, output, errors]).toEqual([
    1,
    expect.stringContaining("before: call(3);"),
    expect.any(String),
  ]);
});
