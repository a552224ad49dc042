import { IdewireError } from "../../errors.ts";
import type { SecretHider } from "../../rpc/transport.ts";
import type { CallToolResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import type { SchemaValidator } from "../schemas/schema-validator.ts";

/**
 * Creates the check that a client SHOULD make of a tool's results (MCP 2025-11-25, Server / Tools /
 * Output Schema). It returns the result; failures, and results of tools without `outputSchema`, pass.
 * @param hiding the client whose secrets are kept out of what is thrown
 * @throws IdewireError `invalid-argument` for an unusable schema; from the check, `protocol` for output
 * that is missing or does not match
 */
export function createOutputCheck(
  { name, outputSchema }: ToolDescription,
  validator: SchemaValidator,
  hiding?: SecretHider,
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
    const hide = <T>(value: T): T => hiding?.withoutSecrets(value) ?? value;
    const shown = check(hide(structuredContent));
    const issue = shown.ok || structuredContent === undefined ? found.issue : shown.issue;
    throw new IdewireError("protocol", `The result of ${hide(name)} is wrong: ${hide(issue)}`);
  };
}
