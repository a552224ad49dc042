import { isObject } from "@idewire/core/internal";
import { useEffect, useState } from "preact/hooks";
import { ForeignText } from "../ui/foreign-text.tsx";

interface OutputCheckProps {
  /** The `outputSchema` of the tool. */
  readonly schema: unknown;
  /** The frame of its result. */
  readonly raw: string;
}

/** Whether the structured content of a result matches the schema of its tool. */
export function OutputCheck({ schema, raw }: OutputCheckProps) {
  const [issue, setIssue] = useState<string | undefined>("");
  useEffect(() => {
    void issueOf(schema, raw).then(setIssue);
  }, [schema, raw]);
  if (issue === "") return null;
  const isGood = issue === undefined;
  return (
    <p class={isGood ? "hint" : "issue"} data-testid="output-check">
      {isGood ? "The structured content matches its schema." : <ForeignText text={issue} />}
    </p>
  );
}

/** The validator is loaded only for tools that have a schema. */
async function issueOf(schema: unknown, raw: string): Promise<string | undefined> {
  const { jsonSchemaValidator } = await import("@idewire/core/json-schema");
  const { result } = JSON.parse(raw) as { readonly result?: unknown };
  const value = isObject(result) ? result["structuredContent"] : undefined;
  if (value === undefined)
    return "The result has no structured content, which its schema describes.";
  if (!isObject(schema)) return "The schema of the structured content is not an object.";
  try {
    const found = jsonSchemaValidator.compile(schema)(value);
    return found.ok
      ? undefined
      : `The structured content does not match its schema: ${found.issue}`;
  } catch (error) {
    return `The schema of the structured content cannot be used: ${(error as Error).message}`;
  }
}
