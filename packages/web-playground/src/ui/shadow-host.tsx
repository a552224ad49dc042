import { showHidden } from "@idewire/core/internal";
import { useEffect, useRef } from "preact/hooks";

/** An editor in a shadow root. */
export interface Guest {
  focus(): void;
  destroy(): void;
}

/** Opens a guest in a shadow root, and destroys it when unmounted. A change of `key` opens a new one. */
export function ShadowHost<G extends Guest>(props: {
  readonly open: (root: ShadowRoot) => Promise<G>;
  readonly onopen: (guest: G | undefined) => void;
  /** Shown until the guest is loaded. */
  readonly text: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren(fallback(props.text));
    let guest: G | undefined;
    let isUnmounted = false;
    void props.open(root).then((opened) => {
      if (isUnmounted) return opened.destroy();
      root.querySelector("pre")?.remove();
      guest = opened;
      props.onopen(opened);
    });
    return () => {
      isUnmounted = true;
      guest?.destroy();
      props.onopen(undefined);
      root.replaceChildren();
    };
  }, []);
  return <div class="shadow-host" ref={place} />;
}

function fallback(text: string): HTMLElement {
  const pre = document.createElement("pre");
  // Layout of a long text would delay the editor that replaces it.
  pre.textContent = showHidden(text.slice(0, 10_000));
  return pre;
}
