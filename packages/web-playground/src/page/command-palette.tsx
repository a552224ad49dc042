import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Dialog } from "../ui/dialog.tsx";
import { listCommands } from "./commands.ts";

/** Every action, found by typing. */
export function CommandPalette() {
  const page = usePage();
  const { view } = page;
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const words = typed.toLowerCase().split(/\s+/);
  const found = listCommands(page).filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  const close = (): void => {
    view.palette.value = false;
  };
  const run = (index: number): void => {
    close();
    found[index]?.run();
  };
  return (
    <Dialog title="Commands" onclose={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
        aria-label="Find a command"
        placeholder="type a few letters"
        value={typed}
        data-testid="palette"
        autofocus
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by !== undefined && found.length > 0) {
            event.preventDefault();
            setAt((at + by + found.length) % found.length);
          }
          if (event.key === "Enter") {
            event.preventDefault();
            run(at);
          }
        }}
      />
      <div class="commands" id="commands" role="listbox" aria-label="Commands">
        {found.map(({ name, key }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
          <div
            key={name}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(index)}
          >
            {name}
            {key !== undefined && <kbd>{key}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="empty">Nothing is called so.</p>}
    </Dialog>
  );
}
