import { isObject } from "../rpc/message.ts";
import type { CallToolResult, ContentBlock } from "./content.ts";
import type { ToolDescription } from "./protocol.ts";
import type { RevisionTraits } from "./versions.ts";

type Members = Readonly<Record<string, keyof RevisionTraits>>;

/** The trait that a revision needs for a member of a description. */
const members: Members = {
  title: "titles",
  _meta: "titles",
  icons: "icons",
  outputSchema: "structuredOutput",
};

/** Further members of `serverInfo` and `clientInfo` that a revision may lack. */
export const laterInInfo: Members = { description: "icons", websiteUrl: "icons" };
/** Those of a tool; resources have had annotations from the start. */
const laterInTools: Members = { annotations: "toolAnnotations" };
const laterInToolsOfAnything: Members = {
  annotations: "toolAnnotations",
  outputSchema: "anyStructuredContent",
};

/**
 * The description of a tool, resource, template, prompt, argument or implementation without the
 * members that the revision lacks.
 * @param also further members to check, for this kind of description only
 */
export function describedIn<T extends object>(
  traits: RevisionTraits,
  description: T,
  also?: Members,
): T {
  const traitOf: Members = { ...members, ...also };
  const isKnown = (trait: keyof RevisionTraits | undefined) => trait === undefined || traits[trait];
  const entries = Object.entries(description).filter(([key]) => isKnown(traitOf[key]));
  return Object.fromEntries(entries) as T;
}

/** The description of a tool without what the revision cannot represent. */
export function toolIn(traits: RevisionTraits, tool: ToolDescription): ToolDescription {
  const isOfObject = tool.outputSchema?.["type"] === "object";
  return describedIn(traits, tool, isOfObject ? laterInTools : laterInToolsOfAnything);
}

/**
 * A tool's result in a revision: what that cannot represent becomes text, so that the model still sees
 * it.
 */
export function toolResultIn(traits: RevisionTraits, result: CallToolResult): CallToolResult {
  const { structuredContent, ...plain } = result;
  const isKnown = structuredContent === undefined || isObject(structuredContent);
  if (traits.anyStructuredContent || (traits.structuredOutput && isKnown)) return result;
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
