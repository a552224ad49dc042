import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openModern } from "../../../testing/modern-fixture.ts";
import { McpServer } from "../server.ts";
import type { Skill } from "./skill.ts";
import { createSkills, type SkillsOptions } from "./skills.ts";

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const manifest = "---\nname: pdf\ndescription: Reads PDFs\n---\nDo so.\n";
const logo = new Uint8Array([0xff, 0x00, 0x80]);

const pdf: Skill = {
  path: "acme/pdf",
  frontmatter: { name: "pdf", description: "Reads PDFs", metadata: { author: "a" } },
  files: [
    { path: "SKILL.md", bytes: bytesOf(manifest) },
    { path: "scripts/read me.py", bytes: bytesOf("print(1)"), mimeType: "text/x-python" },
    { path: "scripts/logo.png", bytes: logo },
  ],
};
const notes: Skill = {
  path: "notes",
  frontmatter: { name: "notes", description: "Takes notes" },
  files: [{ path: "SKILL.md", bytes: bytesOf("x") }],
};

async function open(options: SkillsOptions = {}) {
  const skills = await createSkills([pdf, notes], options);
  return openModern(new McpServer<undefined>({ name: "s", version: "1", features: [skills] }));
}

const uri = "skill://acme/pdf/SKILL.md";

test("the skills are announced, and listed with all their files", async () => {
  const { call } = await open();
  expect((await call("server/discover")).result).toMatchObject({
    capabilities: {
      resources: {},
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    },
  });
  const digest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
  expect((await call("skills/list")).result).toMatchObject({
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    skills: [
      {
        uri,
        frontmatter: pdf.frontmatter,
        resources: [
          { uri, digest, size: manifest.length },
          { uri: "skill://acme/pdf/scripts/read%20me.py", size: 8 },
          { uri: "skill://acme/pdf/scripts/logo.png", size: 3 },
        ],
      },
      { uri: "skill://notes/SKILL.md" },
    ],
  });
});

test("one skill is described as in the list, and an unknown one is -32602", async () => {
  const { call } = await open({ caching: { ttlMs: 5, cacheScope: "public" } });
  const { skills } = (await call("skills/list")).result as { skills: unknown[] };
  const { result } = await call("skills/get", { uri });
  expect(result).toMatchObject({ skill: skills[0], ttlMs: 5, cacheScope: "public" });
  expect(result).not.toHaveProperty("nextCursor");
  for (const bad of ["skill://none/SKILL.md", 5, undefined, "__proto__"]) {
    expect((await call("skills/get", { uri: bad })).error).toMatchObject({ code: -32_602 });
  }
});

test("the list is paginated, and no entry is on two pages", async () => {
  const { call } = await open({ pageSize: 1 });
  const first = (await call("skills/list")).result as Record<string, unknown>;
  expect(first).toMatchObject({ skills: [{ uri }], nextCursor: uri });
  const second = (await call("skills/list", { cursor: uri })).result;
  expect(second).toMatchObject({ skills: [{ uri: "skill://notes/SKILL.md" }] });
  expect(second).not.toHaveProperty("nextCursor");
});

test("its files are read as resources: text as text, bytes as base64", async () => {
  const { call } = await open();
  const read = async (path: string) =>
    (await call("resources/read", { uri: `skill://acme/pdf/${path}` })).result;
  expect(await read("SKILL.md")).toMatchObject({
    contents: [{ uri, mimeType: "text/markdown", text: manifest }],
  });
  expect(await read("scripts/logo.png")).toMatchObject({
    contents: [{ mimeType: "application/octet-stream", blob: "/wCA" }],
  });
  expect((await call("resources/list")).result).toMatchObject({
    resources: [{ uri, name: "pdf", description: "Reads PDFs" }, {}, {}, {}],
  });
});

test("a folder lists its direct children, and anything else is -32602", async () => {
  const { call } = await open();
  const read = async (folder: unknown) => call("resources/directory/read", { uri: folder });
  const children = async (folder: string) =>
    ((await read(folder)).result as { resources: { uri: string; mimeType: string }[] }).resources;
  expect(await children("skill://acme/pdf")).toMatchObject([
    { uri, name: "pdf", mimeType: "text/markdown" },
    { uri: "skill://acme/pdf/scripts", name: "scripts", mimeType: "inode/directory" },
  ]);
  expect(await children("skill://acme")).toMatchObject([{ uri: "skill://acme/pdf" }]);
  expect(await children("skill://acme/pdf/scripts/")).toHaveLength(2);
  for (const bad of [uri, "skill://", "skill://none", "skill://acme/../acme", 5, "__proto__"]) {
    expect((await read(bad)).error).toMatchObject({ code: -32_602 });
  }
});

test.each([
  ["a path that leads out", { files: [...pdf.files, { path: "../x", bytes: logo }] }, "relative"],
  ["an absolute path", { files: [...pdf.files, { path: "/x", bytes: logo }] }, "relative"],
  ["no manifest", { files: [] }, "no SKILL.md"],
  ["a file twice", { files: [...pdf.files, ...pdf.files] }, "a file twice"],
  ["another name", { frontmatter: { name: "x", description: "" } }, "last segment"],
  ["no description", { frontmatter: { name: "pdf" } }, "description: expected a string"],
  [
    "reserved metadata",
    { frontmatter: { ...pdf.frontmatter, metadata: { "io.modelcontextprotocol/a": 1 } } },
    "is reserved",
  ],
  ["a bad name", { path: "Pdf", frontmatter: { name: "Pdf", description: "" } }, "small letters"],
  [
    "too many files",
    {
      files: Array.from({ length: 513 }, (_, n) => ({
        path: n ? `${n}` : "SKILL.md",
        bytes: logo,
      })),
    },
    "at most 512 files, got 513",
  ],
  [
    "too many bytes",
    { files: [{ path: "SKILL.md", bytes: new Uint8Array(16 * 1024 * 1024 + 1) }] },
    "at most 16777216 bytes",
  ],
])("a skill with %s is refused", async (_, change, words) => {
  await expect(createSkills([{ ...pdf, ...change }])).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(words),
  });
});

test("a legacy client is offered no skills", async () => {
  const { client } = await open();
  client.request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  for (const method of ["skills/list", "skills/get", "resources/directory/read"]) {
    client.request(method, method, { uri });
  }
  const [initialized, ...answers] = await client.take();
  expect(JSON.stringify(initialized)).not.toContain("skills");
  expect(answers.map(({ error }) => (error as { code: number }).code)).toEqual(
    Array(3).fill(-32_601),
  );
});
