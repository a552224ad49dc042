import { useEffect, useId, useRef, useState } from "preact/hooks";
import { printKey } from "../commands/keys.ts";
import { type Command, canRun } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import { Icon, type IconNode } from "./icon.tsx";
import { rowAfter } from "./row-after.ts";

interface MenuProps {
  readonly title: string;
  readonly icon: IconNode;
  /** Commands of the registry, a line between groups. */
  readonly groups: readonly (readonly Command[])[];
  readonly testid?: string;
}

/** A button that opens a menu of commands: for what is rare. */
export function Menu({ title, icon, groups, testid }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const items = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? []),
  ];
  useCommands([{ id: "open", title, run: () => button.current?.click() }]);
  useEffect(() => {
    if (isOpen) items()[0]?.focus();
  }, [isOpen]);
  const run = (command: Command): void => {
    // Restores the focus, which a dialog restores in turn.
    list.current?.hidePopover();
    command.run();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon"
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        data-testid={testid}
      >
        <Icon of={icon} />
        <span class="visually-hidden">{title}</span>
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={title}
        tabIndex={-1}
        onToggle={({ newState }) => setOpen(newState === "open")}
        onKeyDown={(event) => {
          const all = items();
          const at = all.indexOf(document.activeElement as HTMLElement);
          const next = rowAfter(event.key, at, { count: all.length });
          if (event.key === "Tab") list.current?.hidePopover();
          if (next === undefined) return;
          event.preventDefault();
          all[next]?.focus();
        }}
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
    </>
  );
}

function Item({ command, run }: { readonly command: Command; readonly run: () => void }) {
  const { id, title, icon, checked, keys: [key] = [] } = command;
  const isChecked = checked?.();
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: one of the two roles has it
    <button
      type="button"
      role={isChecked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={isChecked}
      tabIndex={-1}
      disabled={!canRun(command)}
      data-testid={id}
      onClick={run}
    >
      <span class="menu-icon">{icon !== undefined && <Icon of={icon} />}</span>
      {title}
      {key !== undefined && <kbd>{printKey(key)}</kbd>}
    </button>
  );
}
