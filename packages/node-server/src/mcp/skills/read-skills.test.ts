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
  ["what is no YAML", "---\nname: x\na: b: c\n---\n", "SKILL.md, line 3: "],
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

test("frontmatter with exponentially growing aliases is refused", async () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const before = level === 0 ? "x" : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array(10).fill(before).join(",")}]`;
  });
  const folder = folderWith({ "x/SKILL.md": `---\n${levels.join("\n")}\n---\n` });
  await expect(readSkills(folder)).rejects.toMatchObject({ code: "invalid-argument" });
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
