import { baseName } from "../../../paths/posix-path.ts";
import type { Call } from "../../../rpc/call.ts";
import { methodNotFound } from "../../../rpc/message.ts";
import { toBase64 } from "../../../text/base64.ts";
import { describeValue } from "../../../text/describe-value.ts";
import type { ResourceDescription } from "../../content.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { SKILLS, type SkillEntry } from "../../skill-entry.ts";
import type { RevisionTraits } from "../../versions.ts";
import { type CacheHint, defaultHint } from "../cache-hints.ts";
import type { Caller } from "../caller.ts";
import { type ListPage, pageOf } from "../pagination.ts";
import type { AttachedServer, FeatureHandler, ServerFeature } from "../server-feature.ts";
import { MANIFEST, type Skill, type SkillFile, toEntry, uriOfFile } from "./skill.ts";

const DIRECTORY = "inode/directory";

export interface SkillsOptions {
  /** How many entries a page of a list has; all of them by default. */
  readonly pageSize?: number;
  /** How long clients may keep lists and entries; by default not at all. */
  readonly caching?: CacheHint;
}

/**
 * Offers skills by the extension `io.modelcontextprotocol/skills`, for 2026-07-28; their files are resources of
 * the server.
 * @throws IdewireError `invalid-argument` for a value that is not a skill
 */
export async function createSkills(
  skills: readonly Skill[],
  options: SkillsOptions = {},
): Promise<ServerFeature> {
  return new Skills(skills, await Promise.all(skills.map(toEntry)), options);
}

class Skills implements ServerFeature {
  readonly requests: Readonly<Record<string, FeatureHandler<unknown>>>;
  readonly #files: readonly FileResource[];
  readonly #entries: readonly SkillEntry[];
  readonly #folders: ReadonlyMap<string, readonly ResourceDescription[]>;
  readonly #hint: CacheHint;
  readonly #pageSize: number | undefined;

  constructor(
    skills: readonly Skill[],
    entries: readonly SkillEntry[],
    { pageSize, caching = defaultHint }: SkillsOptions,
  ) {
    this.#entries = entries;
    this.#hint = caching;
    this.#pageSize = pageSize;
    this.#files = skills.flatMap((skill) => skill.files.map((file) => toResource(skill, file)));
    this.#folders = foldersOf(this.#files.map(({ description }) => description));
    this.requests = {
      "skills/list": (call, caller) => this.#list(call, caller),
      "skills/get": (call, caller) => this.#get(call, caller),
      "resources/directory/read": (call, caller) => this.#readDirectory(call, caller),
    };
  }

  capabilities({ stateless }: RevisionTraits): Capabilities {
    return stateless ? { extensions: { [SKILLS]: { directoryRead: true } } } : {};
  }

  attach(server: AttachedServer): void {
    for (const { description, contents } of this.#files) {
      const { uri, ...options } = description;
      server.resource(uri, options, () => ({ uri, ...contents }));
    }
  }

  #list({ method, params }: Call, { traits }: Caller): unknown {
    if (!traits.stateless) return methodNotFound(method);
    const { items, ...more } = this.#page(this.#entries, params?.["cursor"]);
    return { skills: items, ...more, ...this.#hint };
  }

  #get({ method, params }: Call, { traits }: Caller): unknown {
    if (!traits.stateless) return methodNotFound(method);
    const uri = params?.["uri"];
    const entry = this.#entries.find((each) => each.uri === uri);
    if (entry === undefined) throw invalidParams(`uri: no skill ${describeValue(uri)}`, { uri });
    return { skill: entry, ...this.#hint };
  }

  #readDirectory({ method, params }: Call, { traits }: Caller): unknown {
    if (!traits.stateless) return methodNotFound(method);
    const uri = params?.["uri"];
    const children =
      typeof uri === "string" ? this.#folders.get(uri.replace(/\/$/, "")) : undefined;
    if (children === undefined) {
      throw invalidParams(`uri: no directory ${describeValue(uri)}`, { uri });
    }
    const { items, ...more } = this.#page(children, params?.["cursor"]);
    return { resources: items, ...more, ...this.#hint };
  }

  #page<T extends { readonly uri: string }>(all: readonly T[], cursor: unknown): ListPage<T> {
    return pageOf(all, { keyOf: ({ uri }) => uri, cursor, pageSize: this.#pageSize });
  }
}

/** A file of a skill as a resource. */
interface FileResource {
  readonly description: ResourceDescription;
  readonly contents: ReturnType<typeof contentsOf>;
}

function toResource(skill: Skill, file: SkillFile): FileResource {
  const { path, bytes } = file;
  const { name, description } = skill.frontmatter;
  const contents = contentsOf(file);
  const isManifest = path === MANIFEST;
  const described = {
    uri: uriOfFile(skill, path),
    name: isManifest ? String(name) : path,
    ...(isManifest && { description: String(description) }),
    mimeType: contents.mimeType,
    size: bytes.length,
  };
  return { description: described, contents };
}

function contentsOf({ path, bytes, mimeType }: SkillFile): {
  readonly mimeType: string;
} & ({ readonly text: string } | { readonly blob: string }) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const type = path.endsWith(".md") ? "text/markdown" : "text/plain";
    return { mimeType: mimeType ?? type, text };
  } catch {
    return { mimeType: mimeType ?? "application/octet-stream", blob: toBase64(bytes) };
  }
}

/** The direct children of each folder, by its URI. */
function foldersOf(
  files: readonly ResourceDescription[],
): ReadonlyMap<string, readonly ResourceDescription[]> {
  const folders = new Map<string, Map<string, ResourceDescription>>();
  for (const file of files) {
    const { uri } = file;
    let child: ResourceDescription = file;
    for (
      let end = uri.lastIndexOf("/");
      uri[end - 1] !== "/";
      end = uri.lastIndexOf("/", end - 1)
    ) {
      const folder = uri.slice(0, end);
      const children = folders.get(folder) ?? new Map<string, ResourceDescription>();
      folders.set(folder, children.set(child.uri, child));
      const last = decodeURIComponent(baseName(folder));
      child = { uri: folder, name: last, mimeType: DIRECTORY };
    }
  }
  return new Map([...folders].map(([uri, children]) => [uri, [...children.values()]]));
}
