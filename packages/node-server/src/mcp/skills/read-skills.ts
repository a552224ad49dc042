import { constants, type Dirent } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SkillFile } from "@idewire/core/internal";
import { describeValue, isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { Skill } from "@idewire/core/server";
import { type Document, LineCounter, parseDocument } from "yaml";
import { codeOf } from "../../process/error-code.ts";

const MANIFEST = "SKILL.md";
/** The limits of a skill in core; nothing beyond them is read. */
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;
/** The library takes some 5 ms for 1,000 characters, and compares all keys of a mapping with each other. */
const MAX_HEAD_UNITS = 1 << 16;
/** How deep skills are searched for, so that the search of a wrong folder ends. */
const MAX_DEPTH = 8;
const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the skills below a folder, for core's `createSkills`: each folder with a `SKILL.md` is one, named by its
 * path from the given folder, with all files below it. Names that begin with a dot, symbolic links and anything
 * else but regular files are left out. The order is that of the paths.
 * @throws IdewireError `file-system` when something cannot be read; `invalid-argument` for a `SKILL.md` without a
 * YAML mapping of at most 65,536 characters without aliases between two lines of `---` at its head, or a skill of
 * more than 512 files or 16 MiB
 */
export async function readSkills(folder: string): Promise<readonly Skill[]> {
  const paths = await findSkills(folder, "", 0);
  return Promise.all(paths.sort().map((path) => readSkill(folder, path)));
}

async function findSkills(folder: string, path: string, depth: number): Promise<string[]> {
  const entries = await list(join(folder, path));
  if (entries.some((entry) => entry.name === MANIFEST && entry.isFile())) return [path];
  if (depth === MAX_DEPTH) return [];
  const found = entries
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => findSkills(folder, joined(path, name), depth + 1));
  return (await Promise.all(found)).flat();
}

async function readSkill(folder: string, path: string): Promise<Skill> {
  if (path === "") throw invalid(`${folder} is a skill itself: expected the folder that it is in`);
  const root = join(folder, path);
  const paths = (await listFiles(root, "")).sort();
  const files: SkillFile[] = [];
  let room = MAX_BYTES;
  for (const file of paths) {
    const bytes = await readBytes(join(root, file), room);
    room -= bytes.length;
    files.push({ path: file, bytes });
  }
  const manifest = files.find((file) => file.path === MANIFEST);
  const text = new TextDecoder().decode(manifest?.bytes);
  return { path, frontmatter: readFrontmatter(text, join(root, MANIFEST)), files };
}

async function listFiles(root: string, path: string): Promise<string[]> {
  const all: string[] = [];
  for (const entry of await list(join(root, path))) {
    const inside = joined(path, entry.name);
    if (entry.isFile()) all.push(inside);
    else if (entry.isDirectory()) all.push(...(await listFiles(root, inside)));
    if (all.length > MAX_FILES) throw invalid(`${root} has more than ${MAX_FILES} files`);
  }
  return all;
}

function readFrontmatter(text: string, file: string): Skill["frontmatter"] {
  const found = HEAD.exec(text);
  if (!found) throw invalid(`${file}: expected YAML between two lines of --- at its head`);
  const [, head = ""] = found;
  if (head.length > MAX_HEAD_UNITS) {
    throw invalid(`${file}: its head has ${head.length} characters, more than ${MAX_HEAD_UNITS}`);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(head, { lineCounter, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw invalid(`${file}, line ${line + 1}: ${error.message}`);
  }
  const value = toValue(document, file);
  if (isObject(value)) return value;
  throw invalid(`${file}: expected a mapping at its head, got ${describeValue(value)}`);
}

/** A few aliases per level expand without bound: the library's limits count only those of one anchor. */
function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw invalid(`${file}: aliases such as *name are not allowed`);
  }
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith("."));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** A file that was replaced by a link or a pipe since it was listed is refused, not followed or waited for. */
async function readBytes(path: string, room: number): Promise<Uint8Array> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw Object.assign(new Error("no regular file"), { code: "EINVAL" });
      if (facts.size > room) throw invalid(`${path}: the skill has more than ${MAX_BYTES} bytes`);
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof IdewireError ? error : unreadable(path, error);
  }
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}

function unreadable(path: string, error: unknown): IdewireError {
  const reason = codeOf(error) ?? String(error);
  return new IdewireError("file-system", `Cannot read ${path}: ${reason}`, { cause: error });
}

function invalid(text: string): IdewireError {
  return new IdewireError("invalid-argument", text);
}
