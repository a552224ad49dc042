import { IdewireError } from "../../errors.ts";
import type { CallToolResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import type { SchemaValidator } from "../schemas/schema-validator.ts";

/**
 * The client's check of what one tool gives, which it SHOULD make (MCP 2025-11-25, Server / Tools /
 * Output Schema). A failure, and a tool without `outputSchema`, pass as they are.
 * @throws IdewireError `invalid-argument`, at once, for a schema that cannot be used; from the check
 * `protocol`, for output that is missing or does not fit
 */
export function createOutputCheck(
  { name, outputSchema }: ToolDescription,
  validator: SchemaValidator,
): (result: CallToolResult) => CallToolResult {
  if (outputSchema === undefined) return (result) => result;
  const check = validator.compile(outputSchema);
  return (result) => {
    if (result.isError === true) return result;
    const { structuredContent } = result;
    const found: ReturnType<typeof check> =
      structuredContent === undefined
        ? { ok: false, issue: "it has no structuredContent" }
        : check(structuredContent);
    if (found.ok) return result;
    throw new IdewireError("protocol", `The result of ${name} is wrong: ${found.issue}`);
  };
}
