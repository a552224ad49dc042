import { showHidden } from "@idewire/core";
import { useEffect, useRef } from "preact/hooks";

/** What lives in a shadow root. */
export interface Guest {
  focus(): void;
  destroy(): void;
}

/** Gives a guest a shadow root, and takes it away again. A change of `key` makes a new one. */
export function ShadowHost<G extends Guest>(props: {
  readonly open: (root: ShadowRoot) => Promise<G>;
  readonly onopen: (guest: G | undefined) => void;
  /** ListedVerdict until the guest is there. */
  readonly text: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren(fallback(props.text));
    let guest: G | undefined;
    let gone = false;
    void props.open(root).then((opened) => {
      if (gone) return opened.destroy();
      root.querySelector("pre")?.remove();
      guest = opened;
      props.onopen(opened);
    });
    return () => {
      gone = true;
      guest?.destroy();
      props.onopen(undefined);
      root.replaceChildren();
    };
  }, []);
  return <div class="shadow-host" ref={place} />;
}

function fallback(text: string): HTMLElement {
  const pre = document.createElement("pre");
  pre.textContent = showHidden(text);
  return pre;
}
