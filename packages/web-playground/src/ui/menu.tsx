import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { printKey } from "../commands/keys.ts";
import type { Command } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Icon, type IconNode } from "./icon.tsx";
import { ChevronDown } from "./icons.ts";
import { rowAfter } from "./row-after.ts";

interface MenuProps {
  readonly title: string;
  readonly icon: IconNode;
  /** Of a choice: the chosen one, shown beside the icon. */
  readonly value?: string;
  /** Commands of the registry, a line between groups. */
  readonly groups: readonly (readonly Command[])[];
  readonly testid?: string;
}

interface ChoiceMenuProps<Value extends string> extends Omit<MenuProps, "value" | "groups"> {
  readonly value: Value;
  /** Each value with its label, in order; a line between groups. */
  readonly groups: readonly (readonly (readonly [value: Value, label: string])[])[];
  readonly onselect: (value: Value) => void;
}

/** A menu in which one of a few values is chosen; each is a command. */
export function ChoiceMenu<Value extends string>(props: ChoiceMenuProps<Value>) {
  const { title, value, groups, onselect, ...look } = props;
  const choices = groups.map((options) =>
    options.map(([id, label]) => ({
      ...{ id, title: label, checked: () => id === value },
      run: () => onselect(id),
    })),
  );
  const all = choices.flat();
  useCommands(all.map((choice) => ({ ...choice, title: `${title}: ${choice.title}` })));
  const chosen = all.find((choice) => choice.checked())?.title ?? value;
  return <Menu title={title} value={chosen} groups={choices} {...look} />;
}

/** A button that opens a menu of commands: for what is rare. */
export function Menu({ title, icon, value, groups, testid }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useCommands([{ id: "open", title, run: () => button.current?.click() }]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={value === undefined ? "icon" : "choice-button"}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        data-testid={testid}
      >
        <Icon of={icon} />
        <span class="visually-hidden">{value === undefined ? title : `${title}: `}</span>
        {value !== undefined && (
          <>
            <span class="chosen">{value}</span>
            <Icon of={ChevronDown} />
          </>
        )}
      </button>
      <ItemList {...{ id, title, groups, isOpen, setOpen }} isChoice={value !== undefined} />
    </>
  );
}

interface ItemListProps extends Pick<MenuProps, "title" | "groups"> {
  readonly id: string;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Whether the focus starts on the chosen item. */
  readonly isChoice: boolean;
}

function ItemList({ id, title, groups, isOpen, setOpen, isChoice }: ItemListProps) {
  const list = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? []),
  ];
  useLayoutEffect(() => {
    if (!isOpen) return;
    const chosen = isChoice ? items().find(isChosen) : undefined;
    (chosen ?? items()[0])?.focus();
  }, [isOpen]);
  const run = (command: Command): void => {
    // Restores the focus, which a dialog restores in turn.
    list.current?.hidePopover();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = rowAfter(event.key, at, { count: all.length });
    if (event.key === "Tab") list.current?.hidePopover();
    const item = next === undefined ? itemByLetter(all, at, event) : all[next];
    if (item === undefined) return;
    event.preventDefault();
    // A letter is not the key of a command here.
    event.stopPropagation();
    item.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      class="menu"
      popover="auto"
      role="menu"
      aria-label={title}
      tabIndex={-1}
      onToggle={({ newState }) => setOpen(newState === "open")}
      onKeyDown={onKeyDown}
    >
      {isOpen &&
        groups.map((commands) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a menu
          <div key={commands[0]?.id} role="group">
            {commands.map((command) => (
              <Item key={command.id} command={command} run={() => run(command)} />
            ))}
          </div>
        ))}
    </div>
  );
}

function isChosen(item: HTMLElement): boolean {
  return item.ariaChecked === "true";
}

/** The next item after `at` whose title begins with the letter that was pressed. */
function itemByLetter(
  items: readonly HTMLElement[],
  at: number,
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
): HTMLElement | undefined {
  if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return undefined;
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    item.textContent?.toLowerCase().startsWith(key.toLowerCase()),
  );
}

function Item({ command, run }: { readonly command: Command; readonly run: () => void }) {
  const { id, title, icon, checked, keys: [key] = [] } = command;
  const { commands } = usePage();
  const isChecked = checked?.();
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: one of the two roles has it
    <button
      type="button"
      role={isChecked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={isChecked}
      tabIndex={-1}
      disabled={!commands.canRun(command)}
      data-testid={id}
      onClick={run}
    >
      <span class="menu-icon">{icon !== undefined && <Icon of={icon} />}</span>
      {title}
      {key !== undefined && <kbd>{printKey(key)}</kbd>}
    </button>
  );
}
