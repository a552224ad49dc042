import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A dialog that keeps the focus, closes by Escape, and gives the focus back. */
export function Dialog(props: {
  readonly title: string;
  readonly onclose: () => void;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it; Escape is the key
    <dialog
      ref={place}
      aria-labelledby="dialog-title"
      onClose={props.onclose}
      onClick={(event) => {
        if (event.target === event.currentTarget) props.onclose();
      }}
    >
      <div class="dialog-body">
        <header class="bar">
          <h2 id="dialog-title">{props.title}</h2>
          <span class="spring" />
          <button type="button" onClick={props.onclose}>
            Close
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
