import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { FoundField } from "../ui/found-field.tsx";
import { printKey } from "./keys.ts";

/** All commands that can run now, filtered by typing. */
export function CommandPalette() {
  const page = usePage();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState("");
  const list = useRef<HTMLDivElement>(null);
  // Parts of the page that are loaded later bring commands of their own.
  void page.commands.version.value;
  const words = typed.toLowerCase().split(/\s+/);
  const found = page.commands.all
    .filter((command) => command.id !== "palette.open" && page.commands.canRun(command))
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const at = Math.max(
    found.findIndex(({ id }) => id === chosen),
    0,
  );
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, typed]);
  const close = set(page.view.palette, false);
  const run = (index: number): void => {
    close();
    found[index]?.run();
  };
  return (
    <Dialog title="Commands" onclose={close}>
      <FoundField
        {...{ label: "Find a command", placeholder: "Type a command", testid: "palette" }}
        value={typed}
        ontype={(text) => {
          setTyped(text);
          setChosen("");
        }}
        list="commands"
        count={found.length}
        at={at}
        active={found.length > 0 ? `command-${at}` : undefined}
        onmove={(to) => setChosen(found[to]?.id ?? "")}
        onopen={run}
      />
      <div class="commands" id="commands" ref={list} role="listbox" aria-label="Commands">
        {found.map(({ id, title, keys: [key] = [] }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
          <div
            key={id}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(index)}
          >
            <ForeignText text={title} />
            {key !== undefined && <kbd>{printKey(key)}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="empty">No matching commands</p>}
    </Dialog>
  );
}
