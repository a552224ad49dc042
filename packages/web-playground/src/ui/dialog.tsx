import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "./controls.tsx";
import { X } from "./icons.ts";

/** A modal dialog, which restores the focus when it closes. */
export function Dialog(props: {
  readonly title: string;
  readonly onclose?: () => void;
  readonly children: ComponentChildren;
}) {
  const { title, onclose = set(usePage().view.dialog, undefined), children } = props;
  const element = useRef<HTMLDialogElement>(null);
  // Closed before it is removed, so that the focus is back at once: commands may move it afterwards.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it; Escape is the key
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      // The close event itself is fired in a later turn, after any keys pressed since.
      onCancel={(event) => {
        // A file chooser in it that is cancelled bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onclose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onclose();
      }}
    >
      <div class="dialog-body">
        <header class="bar">
          <h2 id="dialog-title">{title}</h2>
          <span class="spring" />
          <CommandScope.Provider value={undefined}>
            <Button title="Close" icon={X} kind="icon" run={onclose} />
          </CommandScope.Provider>
        </header>
        <CommandScope.Provider value={undefined}>{children}</CommandScope.Provider>
      </div>
    </dialog>
  );
}
