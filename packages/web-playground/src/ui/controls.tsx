import type { Signal } from "@preact/signals";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

/** A button that submits no form. */
export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} />;
}

/** A handler that gives a signal a value. */
export function set<T>(target: Signal<T>, value: T): () => void {
  return () => {
    target.value = value;
  };
}

interface SelectProps<Value extends string> {
  readonly label: ComponentChildren;
  /** Of the label, which holds the control. */
  readonly class?: string;
  readonly value: Value;
  /** Each value with its label, in order. */
  readonly options: readonly (readonly [value: Value, label: ComponentChildren])[];
  readonly onselect: (value: Value) => void;
  readonly disabled?: boolean;
  readonly testid?: string;
}

/** One of a few values. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onselect, disabled = false, testid } = props;
  return (
    <label class={props.class}>
      {label}{" "}
      <select
        value={value}
        disabled={disabled}
        data-testid={testid}
        onChange={({ currentTarget }) => onselect(currentTarget.value as Value)}
      >
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
