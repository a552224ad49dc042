import { isObject } from "../rpc/message.ts";
import type { CallToolResult, ContentBlock } from "./content.ts";
import type { ToolDescription } from "./protocol.ts";
import type { Revision, RevisionTraits } from "./versions.ts";

type FirstRevisions = Readonly<Record<string, Revision>>;

/** The first revisions of the members of descriptions that came later. */
const firstRevisions: FirstRevisions = {
  title: "2025-06-18",
  _meta: "2025-06-18",
  icons: "2025-11-25",
  outputSchema: "2025-06-18",
};
/** Those of further members of `serverInfo` and `clientInfo`. */
export const laterInInfo: FirstRevisions = { description: "2025-11-25", websiteUrl: "2025-11-25" };
/** Those of a tool; resources have had annotations from the start. */
const laterInTools: FirstRevisions = { annotations: "2025-03-26" };
const laterInToolsOfAnything: FirstRevisions = {
  annotations: "2025-03-26",
  outputSchema: "2026-07-28",
};

/**
 * The description of a tool, resource, template, prompt, argument or implementation without the
 * members that the revision lacks.
 * @param also further members to check, for this kind of description only
 */
export function describedIn<T extends object>(
  { revision }: Pick<RevisionTraits, "revision">,
  description: T,
  also?: FirstRevisions,
): T {
  const firsts: FirstRevisions = { ...firstRevisions, ...also };
  const entries = Object.entries(description).filter(([key]) => (firsts[key] ?? "") <= revision);
  return Object.fromEntries(entries) as T;
}

/** The description of a tool without members that the revision cannot represent. */
export function toolIn(traits: RevisionTraits, tool: ToolDescription): ToolDescription {
  const isOfObject = tool.outputSchema?.["type"] === "object";
  return describedIn(traits, tool, isOfObject ? laterInTools : laterInToolsOfAnything);
}

/**
 * A tool's result in a revision: content that the revision cannot represent becomes text, so that the model still
 * sees it.
 */
export function toolResultIn(traits: RevisionTraits, result: CallToolResult): CallToolResult {
  const { structuredContent } = result;
  const isKnown = structuredContent === undefined || isObject(structuredContent);
  if (traits.anyStructuredContent || (traits.structuredOutput && isKnown)) return result;
  const { structuredContent: _, ...plain } = result;
  const content = contentIn(traits, result.content);
  const isOnlyStructured = content.length === 0 && structuredContent !== undefined;
  return { ...plain, content: isOnlyStructured ? [asText(structuredContent)] : content };
}

/** Content for a revision, with text in place of kinds that it lacks. */
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
    return {
      type: "text",
      text: `(${block.mimeType}, which this revision of MCP does not support)`,
    };
  }
  return block;
}

function asText(value: unknown): ContentBlock {
  return { type: "text", text: JSON.stringify(value) };
}
