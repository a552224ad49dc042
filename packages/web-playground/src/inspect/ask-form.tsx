import { showHiddenInLine } from "@idewire/core/internal";
import { useState } from "preact/hooks";
import { exactJson } from "../state/exact-json.ts";
import { usePage } from "../state/page-context.ts";
import { Button, Select } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import type { OfferedTool } from "./connections.ts";
import { inspectorOf } from "./inspector.ts";
import type { SavedCall } from "./saved-calls.ts";
import { SaveCall, SavedCallList } from "./saved-calls-list.tsx";
import { type ToolField, toArguments, toFields } from "./tool-fields.ts";

type Filled = Readonly<Record<string, string>>;

/** Sends requests to the editor: lists its tools, or calls one. */
export function AskForm() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  const [name, setName] = useState("");
  const [asked, setAsked] = useState<string | undefined>();
  const [edited, setEdited] = useState<SavedCall | undefined>();
  void model.version.value;
  if (inspector === undefined) return null;
  const { tools = [] } = inspector.connections;
  const tool = tools.find((one) => one.name === name) ?? tools[0];
  const send = async (
    method: string,
    params?: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    setAsked(await inspector.request(method, params));
  };
  const choose = (chosen: string, call?: SavedCall): void => {
    setName(chosen);
    setEdited(call);
  };
  return (
    <section class="ask" data-testid="ask-editor">
      <h3>Send a request</h3>
      <SavedCallList
        tools={new Set(tools.map((one) => one.name))}
        onrun={(call) => void send("tools/call", { name: call.tool, arguments: call.arguments })}
        onedit={(call) => choose(call.tool, call)}
      />
      <div class="ask-line">
        <Button title="tools/list" run={() => void send("tools/list")} />
        <Button title="ping" run={() => void send("ping")} />
        <Select
          class="ask-tool"
          label="Tool"
          value={tool?.name ?? ""}
          testid="tool"
          disabled={tools.length === 0}
          options={tools.map((one) => [one.name, showHiddenInLine(one.name)] as const)}
          onselect={choose}
        />
      </div>
      {tool === undefined ? (
        <p class="hint">The editor has listed no tools yet.</p>
      ) : (
        <ToolForm
          key={`${tool.name} ${edited?.name}`}
          tool={tool}
          {...(edited && { start: edited })}
          oncall={(args) => void send("tools/call", { name: tool.name, arguments: args })}
        />
      )}
      {asked !== undefined && <AskAnswer id={asked} />}
    </section>
  );
}

interface ToolFormProps {
  readonly tool: OfferedTool;
  /** The initial call, if any. */
  readonly start?: SavedCall;
  readonly oncall: (args: unknown) => void;
}

/** The arguments as a form or as JSON; switching to JSON keeps the entered values. */
function ToolForm({ tool, start, oncall }: ToolFormProps) {
  const { model } = usePage();
  const fields = toFields(tool.inputSchema);
  const [filled, setFilled] = useState<Filled>({});
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
  const toggle = (): void => {
    const args = toArguments(fields, filled);
    setIssue(undefined);
    setJson(isForm ? exactJson.stringify(typeof args === "string" ? {} : args, 2) : undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        call();
      }}
    >
      {tool.description !== undefined && <p class="hint">{tool.description}</p>}
      {isForm ? (
        fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={filled[field.name] ?? ""}
            onvalue={(value) => setFilled({ ...filled, [field.name]: value })}
          />
        ))
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
        <button type="submit" class="primary" disabled={!model.isReachable} data-testid="call">
          Call <ForeignText text={tool.name} />
        </button>
        <Button title={isForm ? "As JSON" : "As a form"} run={toggle} data-testid="as-json" />
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

interface FieldProps {
  readonly field: ToolField;
  readonly value: string;
  readonly onvalue: (value: string) => void;
}

function Field({ field, value, onvalue }: FieldProps) {
  const { name, about, isRequired, kind } = field;
  return (
    <div class="field">
      <label for={`field-${name}`}>
        <b>
          <ForeignText text={name} />
        </b>
        {isRequired ? " (required)" : ""} {kind === "json" ? " (JSON)" : ""}
      </label>{" "}
      {about !== "" && <small class="hint">{about}</small>}
      <Input field={field} value={value} onvalue={onvalue} />
    </div>
  );
}

function Input({ field: { name, kind, choices }, value, onvalue }: FieldProps) {
  const oninput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onvalue(currentTarget.value);
  const id = `field-${name}`;
  if (kind === "flag" || kind === "choice") {
    const values = kind === "flag" ? ["true", "false"] : choices;
    return (
      <select value={value} onChange={oninput} id={id}>
        <option value="">(not given)</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "number") {
    return <input inputMode="decimal" value={value} onInput={oninput} id={id} />;
  }
  return (
    <textarea
      class="raw"
      rows={Math.min(8, value.split("\n").length)}
      spellcheck={false}
      value={value}
      onInput={oninput}
      id={id}
    />
  );
}
