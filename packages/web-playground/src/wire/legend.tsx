import { ClearedRows } from "./live-rows.tsx";

/** What the colours of the rows mean, and what was cleared. */
export function Legend() {
  return (
    <p class="legend" data-testid="legend">
      {entries.map(([mark, words]) => (
        <span key={mark}>
          <i class={mark} aria-hidden="true" />
          {words}
        </span>
      ))}
      <ClearedRows />
    </p>
  );
}

const entries = [
  ["agent", "sent by the agent"],
  ["ide", "sent by the editor"],
  ["related", "belongs to the selected row"],
  ["bad", "refused or failed"],
] as const;
