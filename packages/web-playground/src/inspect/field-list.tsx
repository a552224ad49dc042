import { showHiddenInLine } from "@idewire/core/internal";
import { Checkbox } from "../ui/checkbox.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { LongText } from "../ui/long-text.tsx";
import { enteredFor, type FieldChoice, type Filled, type ToolField } from "./tool-fields.ts";

const FLAGS: readonly FieldChoice[] = [
  { text: "true", label: "true", value: true },
  { text: "false", label: "false", value: false },
];

interface FieldListProps {
  readonly fields: readonly ToolField[];
  readonly filled: Filled;
  readonly onfilled: (filled: Filled) => void;
  /** Distinguishes the ids of several forms. */
  readonly prefix?: string;
}

/** The fields of a form. */
export function FieldList({ fields, filled, onfilled, prefix = "field" }: FieldListProps) {
  return (
    <>
      {fields.map((field) => {
        const entered = enteredFor(filled, field.name);
        return (
          <Field
            key={field.name}
            field={field}
            id={`${prefix}-${field.name}`}
            value={entered ?? ""}
            isNull={entered === null}
            onvalue={(value) => onfilled({ ...filled, [field.name]: value })}
          />
        );
      })}
    </>
  );
}

interface FieldProps {
  readonly field: ToolField;
  readonly id: string;
  readonly value: string;
  readonly isNull: boolean;
  readonly onvalue: (value: string | null) => void;
}

function Field(props: FieldProps) {
  const { field, id, isNull, onvalue } = props;
  const { name, title, about, isRequired, kind, isNullable } = field;
  return (
    <div class="field">
      <label for={id}>
        <b>
          <ForeignText text={name} />
        </b>
        {title !== "" && (
          <>
            {" "}
            <ForeignText text={title} />
          </>
        )}
        {isRequired ? " (required)" : ""} {kind === "json" ? " (JSON)" : ""}
      </label>{" "}
      {isNullable && (
        <Checkbox
          label={`${name} is null`}
          checked={isNull}
          onchange={(checked) => onvalue(checked ? null : "")}
        />
      )}
      {about !== "" && (
        <small class="hint">
          <LongText text={about} />
        </small>
      )}
      {!isNull && <Input {...props} />}
    </div>
  );
}

function Input({ field: { kind, choices }, id, value, onvalue }: FieldProps) {
  const oninput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onvalue(currentTarget.value);
  if (kind === "flag" || kind === "choice") {
    const values = kind === "flag" ? FLAGS : choices;
    return (
      <select value={value} onChange={oninput} id={id}>
        <option value="">(not given)</option>
        {values.map(({ text, label }) => (
          <option key={text} value={text}>
            {showHiddenInLine(label)}
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
