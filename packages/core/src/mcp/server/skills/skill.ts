import { IdewireError } from "../../../errors.ts";
import { asObject } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import type { SkillEntry } from "../../skill-entry.ts";
import { toHex } from "../random-id.ts";

// The extension io.modelcontextprotocol/skills (SEP-2640).

const MAX_FILES = 512;
const MAX_BYTES = 16_777_216;
const RESERVED = "io.modelcontextprotocol/";
const NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** The file that makes a folder a skill. */
export const MANIFEST = "SKILL.md";

/** A file of a skill. */
export interface SkillFile {
  /** Relative to the skill, with `/` between the segments. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** By default `text/markdown` for `.md`, `text/plain` for other UTF-8, `application/octet-stream` for the rest. */
  readonly mimeType?: string;
}

/** A skill: a folder with a `SKILL.md`. */
export interface Skill {
  /** Its path after `skill://`; the last segment is the name in the frontmatter. */
  readonly path: string;
  /** The frontmatter of `SKILL.md`, with all members; `name` and `description` are required. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** All its files, `SKILL.md` among them: at most 512 and 16 MiB. */
  readonly files: readonly SkillFile[];
}

/** The URI of a file, or with an empty path of the folder. */
export function uriOfFile({ path }: Skill, file: string): string {
  const segments = [...path.split("/"), ...(file === "" ? [] : file.split("/"))];
  return `skill://${segments.map(encodeURIComponent).join("/")}`;
}

/** @throws IdewireError `invalid-argument` for an invalid skill, with the fault */
export async function toEntry(skill: Skill): Promise<SkillEntry> {
  const fault = findFault(skill);
  if (fault !== undefined) {
    const text = `The skill ${describeValue(skill.path)}: ${fault}`;
    throw new IdewireError("invalid-argument", text);
  }
  const { frontmatter, files } = skill;
  const resources = await Promise.all(
    files.map(async ({ path, bytes }) => {
      const digest = await crypto.subtle.digest("SHA-256", bytes.slice());
      const sum = `sha256:${toHex(new Uint8Array(digest))}`;
      return { uri: uriOfFile(skill, path), digest: sum, size: bytes.length };
    }),
  );
  return { uri: uriOfFile(skill, MANIFEST), frontmatter, resources };
}

function findFault({ path, frontmatter, files }: Skill): string | undefined {
  const { name, description, metadata } = frontmatter;
  const paths = files.map((file) => file.path);
  const wrong = [path, ...paths].find((each) => !isRelative(each));
  if (wrong !== undefined) return `expected a relative path, got ${describeValue(wrong)}`;
  if (!paths.includes(MANIFEST)) return `it has no ${MANIFEST}`;
  if (new Set(paths).size < paths.length) return "it has a file twice";
  if (files.length > MAX_FILES) return `expected at most ${MAX_FILES} files, got ${files.length}`;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_BYTES) return `expected at most ${MAX_BYTES} bytes, got ${size}`;
  if (name !== path.split("/").at(-1)) {
    return `expected its last segment as name, got ${describeValue(name)}`;
  }
  if (!NAME.test(name as string)) {
    return `name: expected up to 64 small letters, digits and single hyphens, got ${describeValue(name)}`;
  }
  if (typeof description !== "string") {
    return `description: expected a string, got ${describeValue(description)}`;
  }
  const reserved = Object.keys(asObject(metadata)).find((key) => key.startsWith(RESERVED));
  return reserved && `metadata: ${RESERVED} is reserved, got ${describeValue(reserved)}`;
}

function isRelative(path: string): boolean {
  return path.split("/").every((segment) => !/^(\.{0,2})$/.test(segment));
}
