import { useState } from "preact/hooks";
import { exactJson } from "../state/exact-json.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { LongText } from "../ui/long-text.tsx";
import type { OfferedTool } from "./connections.ts";
import { FieldList } from "./field-list.tsx";
import type { SavedCall } from "./saved-calls.ts";
import { SaveCall } from "./saved-calls-list.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { type Filled, fromArguments, startOf, toArguments, toFields } from "./tool-fields.ts";

interface ToolFormProps {
  readonly tool: OfferedTool;
  /** The initial call, if any. */
  readonly start?: SavedCall;
  readonly oncall: (args: unknown) => void;
}

/** The arguments as a form or as JSON; switching keeps the entered values. */
export function ToolForm({ tool, start, oncall }: ToolFormProps) {
  const fields = toFields(tool["inputSchema"]);
  const [filled, setFilled] = useState<Filled>(() => startOf(fields));
  const [json, setJson] = useState(
    start === undefined ? undefined : exactJson.stringify(start.arguments, 2),
  );
  const [issue, setIssue] = useState<string | undefined>();
  const isForm = json === undefined;
  const readArguments = (): string | { readonly value: unknown } => {
    if (!isForm) return parse(json);
    const value = toArguments(fields, filled);
    return typeof value === "string" ? value : { value };
  };
  const call = (): void => {
    const args = readArguments();
    setIssue(typeof args === "string" ? args : undefined);
    if (typeof args !== "string") oncall(args.value);
  };
  /** Returns why the other view cannot show the arguments. */
  const switchView = (): string | undefined => {
    const args = readArguments();
    if (typeof args === "string") return args;
    const shown = isForm ? filled : fromArguments(fields, args.value);
    if (typeof shown === "string") return shown;
    setFilled(shown);
    setJson(isForm ? exactJson.stringify(args.value, 2) : undefined);
    return undefined;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        call();
      }}
    >
      {typeof tool["description"] === "string" && (
        <p class="hint">
          <LongText text={tool["description"]} />
        </p>
      )}
      {isForm ? (
        <FieldList fields={fields} filled={filled} onfilled={setFilled} />
      ) : (
        <label class="field">
          <span>Arguments as JSON</span>
          <textarea
            class="raw"
            rows={8}
            spellcheck={false}
            value={json}
            data-testid="arguments"
            onInput={({ currentTarget }) => setJson(currentTarget.value)}
          />
        </label>
      )}
      {issue !== undefined && (
        <p class="issue" role="alert">
          {issue}
        </p>
      )}
      <div class="ask-line">
        <SubmitButton testid="call">
          Call <ForeignText text={tool.name} />
        </SubmitButton>
        <Button
          title={isForm ? "As JSON" : "As a form"}
          run={() => setIssue(switchView())}
          data-testid="as-json"
        />
        <SaveCall
          start={start?.name ?? ""}
          tool={tool.name}
          readArguments={readArguments}
          onissue={setIssue}
        />
      </div>
    </form>
  );
}

/** Any JSON, to test how the editor handles unexpected arguments. */
function parse(json: string): string | { readonly value: unknown } {
  try {
    return { value: exactJson.parse(json) };
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : ""}`;
  }
}
