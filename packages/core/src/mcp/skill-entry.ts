/** The name of the extension for skills among the capabilities. */
export const SKILLS = "io.modelcontextprotocol/skills";

/** An entry of `skills/list`. */
export interface SkillEntry {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** All its files, `SKILL.md` among them. */
  readonly resources: readonly SkillResource[];
}

/** A file in the entry of a skill. */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` and the hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}
