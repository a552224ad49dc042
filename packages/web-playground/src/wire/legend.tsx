import { held } from "../faults/held.ts";
import { usePage } from "../state/page-context.ts";
import { Lazy } from "../ui/lazy.tsx";
import { ClearedRows } from "./live-rows.tsx";

const heldFrames = () => import("../page/dialogs.ts").then(({ HeldFrames }) => HeldFrames);

/** The legend of the colours, and the cleared and held frames. */
export function Legend() {
  const { agent, ide } = usePage().model.ends;
  const entries = [
    ["agent", `sent by the ${agent}`],
    ["ide", `sent by the ${ide}`],
    ["related", "belongs to the selected row"],
    ["bad", "refused or failed"],
  ] as const;
  return (
    <>
      {held.value.length > 0 && <Lazy load={heldFrames} />}
      <p class="legend" data-testid="legend">
        {entries.map(([mark, words]) => (
          <span key={mark}>
            <i class={mark} aria-hidden="true" />
            {words}
          </span>
        ))}
        <ClearedRows />
      </p>
    </>
  );
}
