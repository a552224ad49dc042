import type { Signal } from "@preact/signals";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { printKey } from "../commands/keys.ts";
import type { Command } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "./foreign-text.tsx";
import { Icon } from "./icon.tsx";

/** The appearance of a button, apart from its command. */
interface ButtonLook
  extends Omit<
    ButtonHTMLAttributes<HTMLButtonElement>,
    "id" | "class" | "title" | "onClick" | "disabled" | "command" | "icon"
  > {
  readonly "data-testid"?: string;
  /**
   * `plain` if left out. `primary` is for the one action that a view is about; `icon` shows the icon of the command,
   * with its title as the name and the tooltip; `link` stands in a text.
   */
  readonly kind?: "plain" | "primary" | "icon" | "link";
  readonly class?: string | undefined;
  /** Shown in place of the command's title. */
  readonly children?: ComponentChildren;
  readonly tooltip?: string | undefined;
  /** The id of the element. */
  readonly domId?: string;
  /** Whether the title comes from outside. */
  readonly isForeign?: boolean;
}

interface CommandButtonProps extends ButtonLook {
  readonly command: Command;
}

/** A button that runs a command of the registry. */
export function CommandButton(props: CommandButtonProps) {
  const { command, kind = "plain", tooltip, isForeign = false, domId, children, ...look } = props;
  const { title, icon, run } = command;
  const { commands } = usePage();
  const isIcon = kind === "icon";
  const words = children ?? (isForeign ? <ForeignText text={title} /> : title);
  return (
    <button
      type="button"
      {...look}
      class={[kind !== "plain" && kind, look.class].filter(Boolean).join(" ") || undefined}
      id={domId}
      title={tooltip ?? (isIcon ? nameWithKey(command) : undefined)}
      disabled={!commands.canRun(command)}
      onClick={run}
    >
      {icon !== undefined && <Icon of={icon} />}
      {!isIcon && words}
      {isIcon && !look["aria-label"] && <span class="visually-hidden">{title}</span>}
      {isIcon && children}
    </button>
  );
}

function nameWithKey({ title, keys: [key] = [] }: Command): string {
  return key === undefined ? title : `${title} (${printKey(key)})`;
}

interface ButtonProps extends ButtonLook, Omit<Command, "id"> {}

/** A button whose command is registered while it is shown. */
export function Button(props: ButtonProps) {
  const { title, icon, keys, when, needsConnection, run, ...look } = props;
  const command: Command = {
    id: "button",
    title,
    run,
    ...(icon && { icon }),
    ...(keys && { keys }),
    ...(when && { when }),
    ...(needsConnection && { needsConnection }),
  };
  useCommands([command]);
  return <CommandButton command={command} {...look} />;
}

/** A handler that sets a signal. */
export function set<T>(target: Signal<T>, value: T): () => void {
  return () => {
    target.value = value;
  };
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** The class of the label's text, such as `visually-hidden`. */
  readonly labelClass?: string;
  /** The class of the label element, which contains the control. */
  readonly class?: string;
  readonly value: Value;
  /** Each value with its label, in order. */
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onselect: (value: Value) => void;
  readonly disabled?: boolean;
  /** As of a command. */
  readonly needsConnection?: boolean;
  readonly testid?: string;
}

/** One of a few values; each is a command. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelClass, value, options, onselect, testid, needsConnection = false } = props;
  const { model } = usePage();
  const disabled = props.disabled === true || (needsConnection && !model.isReachable);
  useCommands(
    options.map(([id, text]) => ({
      id,
      title: `${label}: ${text}`,
      when: () => !disabled && id !== value,
      run: () => onselect(id),
    })),
  );
  return (
    <label class={props.class}>
      <span class={labelClass}>{label}</span>{" "}
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
