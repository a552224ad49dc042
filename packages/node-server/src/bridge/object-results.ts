import {
  type CallToolResult,
  isObject,
  type JsonSchema,
  parseJson,
  type ToolDescription,
} from "@idewire/core";

// Editors answer with any JSON value, while agents such as Gemini CLI refuse structured content that is no object.

/** Tools whose one text is JSON, in every editor that has them. */
const jsonTools: ReadonlySet<string> = new Set(["getDiagnostics"]);

/** The result of an editor's tool, with structured content that is an object, or without any. */
export function objectResult(name: string, result: CallToolResult): CallToolResult {
  if (result.isError === true) return result;
  const told = jsonTools.has(name) ? jsonOf(result) : undefined;
  const { structuredContent: value = told } = result;
  if (value === undefined) return result;
  return { ...result, structuredContent: isObject(value) ? value : { result: value } };
}

/** A tool whose output schema fits {@link objectResult}. */
export function objectTool(tool: ToolDescription): ToolDescription {
  const { outputSchema } = tool;
  if (outputSchema === undefined || outputSchema["type"] === "object") return tool;
  const { $defs, $schema, ...result } = outputSchema;
  const wrapped: JsonSchema = {
    ...($schema === undefined ? {} : { $schema }),
    ...{ type: "object", properties: { result }, required: ["result"] },
    // References begin at the root.
    ...($defs === undefined ? {} : { $defs }),
  };
  return { ...tool, outputSchema: wrapped };
}

function jsonOf({ content }: CallToolResult): unknown {
  const [item, ...others] = content;
  if (item?.type !== "text" || others.length > 0) return undefined;
  try {
    return parseJson(item.text);
  } catch {
    return undefined;
  }
}
