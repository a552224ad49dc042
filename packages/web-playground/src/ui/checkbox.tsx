import type { ComponentChildren } from "preact";

interface CheckboxProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onchange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with its label. */
export function Checkbox({ onchange, children, ...rest }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        {...rest}
        onChange={({ currentTarget }) => onchange(currentTarget.checked)}
      />
      {children}
    </label>
  );
}
