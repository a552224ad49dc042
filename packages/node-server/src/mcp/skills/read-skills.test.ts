import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSkills } from "@idewire/core/server";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../tests/src/temporary-folder.ts";
import { readSkills } from "./read-skills.ts";

const manifest = (name: string) =>
  `---\nname: ${name}\ndescription: Does ${name}\n---\n# ${name}\n`;

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder("idewire-skills-");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

test("each folder with a SKILL.md is a skill, with all files below it, as they are", async () => {
  const bytes = new Uint8Array([0xff, 0, 0x80]);
  const folder = folderWith({
    "pdf/SKILL.md": manifest("pdf"),
    "pdf/scripts/fill.py": "print()\r\n",
    "pdf/logo.png": bytes,
    "acme/billing/SKILL.md": manifest("billing"),
    "notes.md": "no skill",
  });
  const [billing, pdf, ...more] = await readSkills(folder);
  expect(more).toEqual([]);
  expect(billing).toMatchObject({ path: "acme/billing", files: [{ path: "SKILL.md" }] });
  expect(pdf).toMatchObject({
    path: "pdf",
    frontmatter: { name: "pdf", description: "Does pdf" },
    files: [
      { path: "SKILL.md" },
      { path: "logo.png", bytes },
      { path: "scripts/fill.py", bytes: new Uint8Array(Buffer.from("print()\r\n")) },
    ],
  });
  await expect(createSkills(await readSkills(folder))).resolves.toBeDefined();
});

test("the frontmatter is read as YAML 1.2, verbatim", async () => {
  const head =
    "name: x\ndescription: >\n  on two\n  lines\nlicense: no\ndate: 2026-01-02\nmetadata: {version: '1.0', tags: [a]}\n";
  const folder = folderWith({
    "x/SKILL.md": `\uFEFF---\r\n${head.replaceAll("\n", "\r\n")}---\r\n`,
  });
  const [skill] = await readSkills(folder);
  expect(skill?.frontmatter).toEqual({
    name: "x",
    description: "on two lines\n",
    license: "no",
    date: "2026-01-02",
    metadata: { version: "1.0", tags: ["a"] },
  });
});

test("hidden files, links and pipes are not part of the skill, and block nothing", async () => {
  const folder = folderWith({
    "x/SKILL.md": manifest("x"),
    "x/.git/config": "secret",
    "x/.env": "secret",
    "outside.txt": "secret",
    "node_modules/y/SKILL.md": manifest("y"),
  });
  symlinkSync(join(folder, "outside.txt"), join(folder, "x/link.txt"));
  symlinkSync(folder, join(folder, "x/loop"));
  execFileSync("mkfifo", [join(folder, "x/pipe")]);
  const skills = await readSkills(folder);
  expect(skills.map(({ files }) => files.map(({ path }) => path))).toEqual([["SKILL.md"]]);
});

test.each([
  ["no head", "# x\n", "expected YAML between two lines of --- at its head"],
  ["a head that does not end", "---\nname: x\n", "expected YAML between two lines of ---"],
  ["a head after other text", "\n---\nname: x\n---\n", "expected YAML between two lines of ---"],
  ["an empty head", "---\n---\n", "expected a mapping at its head, got null"],
  ["a list", "---\n- name\n---\n", "expected a mapping at its head, got ["],
  ["invalid YAML", "---\nname: x\na: b: c\n---\n", "SKILL.md, line 3: "],
  ["a key twice", "---\nname: x\nname: y\n---\n", "line 3: Map keys must be unique"],
])("%s is refused with a message that names the file", async (_, text, message) => {
  const folder = folderWith({ "x/SKILL.md": text });
  const fault = expect(readSkills(folder)).rejects;
  await fault.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(join(folder, "x", "SKILL.md")),
  });
  await expect(readSkills(folder)).rejects.toThrow(message);
});

/** Each level refers to each anchor of the one before, once. */
function wideAliases(levels: number, width: number): string {
  const names = (level: number) => Array.from({ length: width }, (_, at) => `a${level}_${at}`);
  const items = (level: number) => (level === 0 ? "x" : names(level - 1).map((name) => `*${name}`));
  const lines = Array.from({ length: levels }, (_, level) =>
    names(level).map((name) => `${name}: &${name} [${items(level)}]`),
  );
  return lines.flat().join("\n");
}

test.each([
  ["of one anchor at many levels", wideAliases(12, 1)],
  ["of many anchors, each used once at each level", wideAliases(6, 20)],
  ["of one long list", `a: &a [${"x,".repeat(20_000)}]\nb: [${"*a,".repeat(90)}]`],
  ["without an anchor", `name: *${"x".repeat(50_000)}`],
])("aliases %s are refused before they grow", async (_, head) => {
  const folder = folderWith({ "x/SKILL.md": `---\n${head}\n---\n` });
  const before = process.memoryUsage().rss;
  const message = `${join(folder, "x/SKILL.md")}: aliases such as *name are not allowed`;
  await expect(readSkills(folder)).rejects.toMatchObject({ code: "invalid-argument", message });
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});

test.each([
  ["megabytes of keys", Array.from({ length: 500_000 }, (_, at) => `k${at}: ${at}`).join("\n")],
  ["a megabyte of brackets", `a: ${"[".repeat(1 << 20)}`],
  ["one long text", `a: ${"x".repeat(1 << 20)}`],
])("a head with %s is refused before it is parsed", async (_, head) => {
  const folder = folderWith({ "x/SKILL.md": `---\n${head}\n---\n` });
  const start = process.cpuUsage();
  await expect(readSkills(folder)).rejects.toThrow(`has ${head.length + 1} characters, more than`);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
});

test("skills that are too large or have too many files are refused before they are read", async () => {
  const large = folderWith({ "x/SKILL.md": manifest("x"), "x/a.bin": "" });
  truncateSync(join(large, "x/a.bin"), 2 ** 40);
  await expect(readSkills(large)).rejects.toThrow("the skill has more than 16777216 bytes");
  const names = Array.from({ length: 512 }, (_, index) => [`x/${index}`, ""] as const);
  const many = folderWith({ "x/SKILL.md": manifest("x"), ...Object.fromEntries(names) });
  await expect(readSkills(many)).rejects.toThrow("has more than 512 files");
});

test("unreadable files are named", async () => {
  await expect(readSkills("/no/such/folder")).rejects.toMatchObject({
    code: "file-system",
    message: expect.stringContaining("/no/such/folder"),
  });
  const itself = folderWith({ "SKILL.md": manifest("x") });
  await expect(readSkills(itself)).rejects.toThrow("is a skill itself");
});
