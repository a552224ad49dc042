import { IdewireError } from "../../errors.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { CallToolResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import type { SchemaValidator } from "../schemas/schema-validator.ts";

/**
 * Creates the check that a client SHOULD make of a tool's results (MCP 2025-11-25, Server / Tools /
 * Output Schema). It returns the result; failures, and results of tools without `outputSchema`, pass.
 * @param redactor the client whose secrets are kept out of what is thrown
 * @throws IdewireError `invalid-argument` for an unusable schema; from the check, `protocol` for output
 * that is missing or does not match
 */
export function createOutputCheck(
  { name, outputSchema }: ToolDescription,
  validator: SchemaValidator,
  redactor?: Redactor,
): (result: CallToolResult) => CallToolResult {
  if (outputSchema === undefined) return (result) => result;
  const check = validator.compile(outputSchema);
  return (result) => {
    if (result.isError === true) return result;
    const { structuredContent } = result;
    const redact = <T>(value: T): T => redactor?.redact(value) ?? value;
    const wrong = (issue: string) => {
      const text = `The result of ${redact(name)} is wrong: ${redact(issue)}`;
      return new IdewireError("protocol", text);
    };
    if (structuredContent === undefined) throw wrong("it has no structuredContent");
    const found = check(structuredContent);
    if (found.ok) return result;
    // An issue may quote a part of a secret, which is not recognised by itself.
    const shown = check(redact(structuredContent));
    throw wrong(shown.ok ? found.issue : shown.issue);
  };
}
