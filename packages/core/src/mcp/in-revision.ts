import type { CallToolResult, ContentBlock } from "./content.ts";
import type { RevisionTraits } from "./versions.ts";

type Members = Readonly<Record<string, keyof RevisionTraits>>;

/** What a revision must have for a description to have a member. */
const members: Members = {
  title: "titles",
  _meta: "titles",
  icons: "icons",
  outputSchema: "structuredOutput",
};

/** Which members of `serverInfo` and `clientInfo` came later. */
export const laterInInfo: Members = { description: "icons", websiteUrl: "icons" };
/** Which members of a tool did; resources had annotations before. */
export const laterInTools: Members = { annotations: "toolAnnotations" };

/**
 * What describes a tool, a resource, a template, a prompt, an argument or one end, without what
 * came later than the revision.
 * @param also further members, of this kind of thing only
 */
export function describedIn<T extends object>(
  traits: RevisionTraits,
  description: T,
  also?: Members,
): T {
  const traitOf: Members = { ...members, ...also };
  const isThere = (trait: keyof RevisionTraits | undefined) => trait === undefined || traits[trait];
  const entries = Object.entries(description).filter(([key]) => isThere(traitOf[key]));
  return Object.fromEntries(entries) as T;
}

/**
 * A tool's result in the words of a revision before `structuredContent`: what it cannot carry
 * becomes text, so that the model hears of it all the same.
 */
export function toolResultIn(traits: RevisionTraits, result: CallToolResult): CallToolResult {
  const { structuredContent, ...plain } = result;
  const content = contentIn(traits, result.content);
  const isOnlyStructured = content.length === 0 && structuredContent !== undefined;
  return { ...plain, content: isOnlyStructured ? [asText(structuredContent)] : content };
}

/** Content in the words of a revision. */
export function contentIn(
  traits: RevisionTraits,
  content: readonly ContentBlock[],
): readonly ContentBlock[] {
  return traits.resourceLinks ? content : content.map((block) => blockIn(traits, block));
}

function blockIn(traits: RevisionTraits, block: ContentBlock): ContentBlock {
  if (block.type === "resource_link") {
    return { type: "text", text: `${block.name}: ${block.uri}` };
  }
  if (block.type === "audio" && !traits.audio) {
    return { type: "text", text: `(${block.mimeType}, which this revision of MCP cannot carry)` };
  }
  return block;
}

function asText(value: unknown): ContentBlock {
  return { type: "text", text: JSON.stringify(value) };
}
