import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { McpServer } from "../server/server.ts";
import { createSkills } from "../server/skills/skills.ts";
import type { SkillEntry } from "../skill-entry.ts";
import { McpClient } from "./client.ts";
import { listSkills, loadSkill } from "./skills.ts";

const info = { name: "me", version: "1" };
const encode = (text: string) => new TextEncoder().encode(text);
const manifest = "---\nname: pdf\ndescription: Fills forms\n---\n\nBody.\n";
const frontmatter = { name: "pdf", description: "Fills forms" };
const files = [
  { path: "SKILL.md", bytes: encode(manifest) },
  { path: "logo.bin", bytes: new Uint8Array([0, 255, 1]) },
];

/** A parser of YAML that suffices for the front matter above. */
const parseFrontmatter = (yaml: string) =>
  Object.fromEntries(
    yaml
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );

async function connect() {
  const skills = await createSkills([{ path: "pdf", frontmatter, files }]);
  const read = vi.fn();
  const server = new McpServer({
    ...info,
    features: [skills],
    around: (call, next) => {
      read(call.name);
      return next();
    },
  });
  const [left, right] = createMemoryTransportPair();
  server.connect(left);
  const client = await McpClient.connect(right, { ...info });
  const [entry] = await listSkills(client);
  return { client, read, entry: entry as SkillEntry };
}

test("a skill is read when it is loaded, and its other files on demand", async () => {
  const { client, read, entry } = await connect();
  expect(entry.frontmatter).toEqual(frontmatter);
  expect(read).not.toHaveBeenCalled();
  const skill = await loadSkill(client, entry, { parseFrontmatter });
  expect(skill.manifest).toBe(manifest);
  expect(read.mock.calls).toEqual([["skill://pdf/SKILL.md"]]);
  expect(await skill.read("skill://pdf/logo.bin")).toEqual(new Uint8Array([0, 255, 1]));
  await expect(skill.read("skill://pdf/else")).rejects.toMatchObject({
    code: "invalid-argument",
    message: 'The skill "skill://pdf/SKILL.md" has no file "skill://pdf/else"',
  });
});

const changed = (entry: SkillEntry, change: object): SkillEntry => ({
  ...entry,
  resources: entry.resources.map((file) => ({ ...file, ...change })),
});

test.each<[string, (entry: SkillEntry) => SkillEntry, RegExp]>([
  ["size", (entry) => changed(entry, { size: 5 }), /^The size of .* is \d+, its entry says 5$/],
  ["digest", (entry) => changed(entry, { digest: "sha256:00" }), /^The digest of .* is "sha256:/],
  [
    "frontmatter",
    (entry) => ({ ...entry, frontmatter: { ...frontmatter, more: 1 } }),
    /^The frontmatter of .*its entry says/,
  ],
])("a skill with another %s than its entry is not loaded", async (_, forge, message) => {
  const { client, entry } = await connect();
  await expect(loadSkill(client, forge(entry), { parseFrontmatter })).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringMatching(message),
  });
});

test("frontmatter that cannot be parsed is named, with the parser's error as the cause", async () => {
  const { client, entry } = await connect();
  const cause = new Error("line 3");
  const loading = loadSkill(client, entry, {
    parseFrontmatter: () => {
      throw cause;
    },
  });
  await expect(loading).rejects.toMatchObject({ code: "protocol", cause });
});

test("a server without the extension is not asked for skills", async () => {
  const server = new McpServer(info);
  const [left, right] = createMemoryTransportPair();
  server.connect(left);
  const client = await McpClient.connect(right, { ...info });
  await expect(listSkills(client)).rejects.toMatchObject({ code: "protocol" });
});
