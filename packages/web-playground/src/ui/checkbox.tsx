import { useCommands } from "../commands/use-command.ts";

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onchange: (checked: boolean) => void;
}

/** A checkbox with its label. */
export function Checkbox({ label, onchange, ...rest }: CheckboxProps) {
  const { checked, disabled } = rest;
  useCommands([
    { id: "toggle", title: label, when: () => disabled !== true, run: () => onchange(!checked) },
  ]);
  return (
    <label class="check">
      <input
        type="checkbox"
        {...rest}
        onChange={({ currentTarget }) => onchange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
