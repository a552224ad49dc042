import { useCommands } from "../commands/use-command.ts";

/** The tabs of one panel, moved through by the arrow keys. */
export function TabStrip<Id extends string>(props: {
  readonly label: string;
  /** The id of the panel. */
  readonly panel: string;
  readonly tabs: readonly (readonly [Id, string])[];
  readonly open: Id;
  readonly onopen: (id: Id) => void;
}) {
  const { label, panel, tabs, open, onopen } = props;
  const at = tabs.findIndex(([id]) => id === open);
  useCommands(
    tabs.map(([id, words]) => ({ id, title: `${label}: ${words}`, run: () => onopen(id) })),
  );
  return (
    <div
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
