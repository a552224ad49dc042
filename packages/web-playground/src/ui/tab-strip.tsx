import { useEffect, useRef } from "preact/hooks";
import { useCommands } from "../commands/use-command.ts";

/** The tabs of one panel, in one line; the arrow keys move through them. */
export function TabStrip<Id extends string>(props: {
  readonly label: string;
  /** The id of the panel. */
  readonly panel: string;
  readonly tabs: readonly (readonly [Id, string])[];
  readonly open: Id;
  readonly onopen: (id: Id) => void;
}) {
  const { label, panel, tabs, open, onopen } = props;
  const strip = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(([id]) => id === open);
  useEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = strip.current ?? {};
    if (scrollWidth <= clientWidth) return;
    strip.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [open]);
  useCommands(
    tabs.map(([id, words]) => ({ id, title: `${label}: ${words}`, run: () => onopen(id) })),
  );
  return (
    <div
      ref={strip}
      role="tablist"
      aria-label={label}
      class="tabs"
      onKeyDown={({ key, currentTarget }) => {
        const by = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key];
        const next = by === undefined ? undefined : tabs[(at + by) % tabs.length];
        if (next === undefined) return;
        onopen(next[0]);
        currentTarget.querySelector<HTMLElement>(`#tab-${next[0]}`)?.focus();
      }}
    >
      {tabs.map(([id, words]) => (
        <button
          type="button"
          role="tab"
          key={id}
          id={`tab-${id}`}
          aria-selected={id === open}
          aria-controls={panel}
          tabIndex={id === open ? 0 : -1}
          class="tab"
          onClick={() => onopen(id)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
