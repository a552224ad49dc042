import { IdewireError } from "../../errors.ts";
import { isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { describeValue } from "../../text/describe-value.ts";
import type { ResourceContents } from "../content.ts";
import type { SkillEntry, SkillResource } from "../skill-entry.ts";
import { SKILLS } from "../skill-entry.ts";
import type { McpClient } from "./client.ts";
import { listAll } from "./list-all.ts";

// The extension io.modelcontextprotocol/skills (SEP-2640): the client's end.

export interface LoadSkillOptions extends RequestOptions {
  /** Parses the YAML between the two lines of `---`, such as `parse` of the package `yaml`. */
  readonly parseFrontmatter: (yaml: string) => unknown;
}

/** A skill whose `SKILL.md` matches its entry. */
export interface LoadedSkill {
  readonly entry: SkillEntry;
  /** The text of `SKILL.md`, frontmatter included. */
  readonly manifest: string;
  /**
   * Reads another of its files on demand.
   * @throws IdewireError `invalid-argument` for a URI that the entry does not list, `protocol` for bytes that do
   * not match the entry
   */
  read(uri: string, options?: RequestOptions): Promise<Uint8Array>;
}

/**
 * The skills of a server, without any of their files.
 * @throws IdewireError `protocol` for a server without the extension
 */
export function listSkills(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly SkillEntry[]> {
  const { extensions } = client.server.capabilities;
  if (!isObject(extensions) || !Object.hasOwn(extensions, SKILLS)) {
    const error = new IdewireError("protocol", `skills/list requires a server with ${SKILLS}`);
    return Promise.reject(error);
  }
  const list = { method: "skills/list", member: "skills", key: "uri" };
  return listAll(client.session, list, options);
}

/**
 * Reads the `SKILL.md` of a skill, and only that, and compares it with the entry: its size, its digest, and each
 * member of its frontmatter.
 * @throws IdewireError `protocol` when they differ, with the difference
 */
export async function loadSkill(
  client: McpClient,
  entry: SkillEntry,
  { parseFrontmatter, ...options }: LoadSkillOptions,
): Promise<LoadedSkill> {
  const shown = (value: unknown) => describeValue(value, client);
  const named = shown(entry.uri);
  const manifest = decode(await readVerified(client, entry, entry.uri, options), named);
  const [, yaml] = /^---\r?\n([\s\S]*?\r?\n)?---(?:\r?\n|$)/.exec(manifest) ?? [];
  const found = yaml === undefined ? undefined : parseYaml(parseFrontmatter, yaml, named);
  if (canonical(found) !== canonical(entry.frontmatter)) {
    throw new IdewireError(
      "protocol",
      `The frontmatter of ${named} is ${shown(found)}, its entry says ${shown(entry.frontmatter)}`,
    );
  }
  const read = (uri: string, how?: RequestOptions) => readVerified(client, entry, uri, how);
  return { entry, manifest, read };
}

async function readVerified(
  client: McpClient,
  { uri: skill, resources }: SkillEntry,
  uri: string,
  options?: RequestOptions,
): Promise<Uint8Array> {
  const files: unknown = resources;
  const all: readonly unknown[] = Array.isArray(files) ? (files as readonly unknown[]) : [];
  const file = all.find((each) => isObject(each) && each["uri"] === uri) as
    | SkillResource
    | undefined;
  if (file === undefined) {
    const [named, wanted] = [skill, uri].map((each) => describeValue(each, client));
    const text = `The skill ${named} has no file ${wanted}`;
    throw new IdewireError("invalid-argument", text);
  }
  const contents = await client.readResource(uri, options);
  const bytes = bytesOf(contents.find((each) => each.uri === uri));
  await verify(client, file, bytes);
  return bytes;
}

async function verify(
  client: McpClient,
  { uri, size, digest }: SkillResource,
  bytes: Uint8Array,
): Promise<void> {
  const shown = (value: unknown) => describeValue(value, client);
  const differs = (what: string, found: unknown, expected: unknown) =>
    new IdewireError(
      "protocol",
      `The ${what} of ${shown(uri)} is ${shown(found)}, its entry says ${shown(expected)}`,
    );
  if (bytes.length !== size) throw differs("size", bytes.length, size);
  const sum = await crypto.subtle.digest("SHA-256", bytes.slice());
  const hex = Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0"));
  const found = `sha256:${hex.join("")}`;
  if (found !== digest) throw differs("digest", found, digest);
}

function bytesOf(contents: ResourceContents | undefined): Uint8Array {
  if (contents !== undefined && "text" in contents) return new TextEncoder().encode(contents.text);
  if (contents === undefined || typeof contents.blob !== "string") return new Uint8Array();
  try {
    return Uint8Array.from(atob(contents.blob), (each) => each.charCodeAt(0));
  } catch {
    // Invalid base64 counts as bytes that differ from the entry.
    return new Uint8Array();
  }
}

function decode(bytes: Uint8Array, named: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new IdewireError("protocol", `${named} is not UTF-8`, { cause });
  }
}

function parseYaml(parse: (yaml: string) => unknown, yaml: string, named: string): unknown {
  try {
    return parse(yaml);
  } catch (cause) {
    const text = `The frontmatter of ${named} cannot be parsed`;
    throw new IdewireError("protocol", text, { cause });
  }
}

/** JSON with the members of objects in a canonical order. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
