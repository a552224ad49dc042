import type { ToolDescription } from "@idewire/core/client";
import { answerLimits, isObject, parseJson } from "@idewire/core/internal";
import type { CallToolResult, JsonSchema } from "@idewire/core/server";

// Editors answer with any JSON value, while agents such as Gemini CLI refuse structured content other than
// objects.

/** Tools whose only text is JSON in every editor. */
const jsonTools: ReadonlySet<string> = new Set(["getDiagnostics"]);

/**
 * The result of an editor's tool, with structured content that is an object, or without any. If it matched the
 * editor's output schema, it matches that of {@link objectTool}.
 */
export function objectResult(tool: ToolDescription, result: CallToolResult): CallToolResult {
  if (result.isError === true) return result;
  const parsed = jsonTools.has(tool.name) ? jsonOf(result) : undefined;
  const { structuredContent: value = parsed } = result;
  if (value === undefined) return result;
  const stays = isObject(value) && !needsWrapping(tool.outputSchema);
  return { ...result, structuredContent: stays ? value : { result: value } };
}

/** A tool of an editor, with an output schema that only objects match. */
export function objectTool(tool: ToolDescription): ToolDescription {
  const { outputSchema } = tool;
  if (!needsWrapping(outputSchema)) return tool;
  const { $schema, ...result } = outputSchema;
  const wrapped: JsonSchema = {
    ...($schema === undefined ? {} : { $schema }),
    ...{ type: "object", properties: { result: moved(result) }, required: ["result"] },
  };
  return { ...tool, outputSchema: wrapped };
}

/** Whether a schema may match values other than objects. */
function needsWrapping(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema !== undefined && schema["type"] !== "object";
}

/** Moves a schema to the property `result`: references start at the root, or at an `$id`. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isObject(schema) || typeof schema["$id"] === "string") return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    const isReference = key === "$ref" && typeof value === "string" && /^#(?:\/|$)/.test(value);
    return [key, isReference ? `#/properties/result${value.slice(1)}` : moved(value)];
  });
  return Object.fromEntries(entries);
}

function jsonOf({ content }: CallToolResult): unknown {
  const [item, ...others] = content;
  if (item?.type !== "text" || others.length > 0) return undefined;
  try {
    return parseJson(item.text, answerLimits);
  } catch {
    return undefined;
  }
}
