import { countOf } from "@idewire/core/internal/base";
import type { HeldFrame } from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { DirectionCell } from "../wire/direction.tsx";
import { breakpointOf, MAX_HELD_MINUTES, release, removeBreakpoint } from "./breakpoint.ts";
import { held } from "./held.ts";

/** The frames held at a breakpoint; the first can be edited, released or dropped. */
export function HeldFrames() {
  const { model } = usePage();
  const all = held.value;
  const stopped = all.filter(({ isStopped }) => isStopped);
  const [frame] = stopped;
  if (frame === undefined || breakpointOf(model) === undefined) return null;
  const behind = all.length - stopped.length;
  return (
    <CommandScope.Provider value="Held frames">
      <section class="held" aria-label="Held frames" data-testid="held">
        <div class="bar">
          <b role="status">
            {countOf(stopped.length, "frame")} held{behind > 0 && `, ${behind} behind`}
          </b>
          <DirectionCell dir={frame.dir} />
          <span class="spring" />
          <Button
            title="Remove the breakpoint"
            data-testid="remove-breakpoint"
            run={() => removeBreakpoint(model)}
          />
        </div>
        <HeldFrameForm key={frame.id} frame={frame} />
      </section>
    </CommandScope.Provider>
  );
}

function HeldFrameForm({ frame }: { readonly frame: HeldFrame }) {
  const { model } = usePage();
  const [draft, setDraft] = useState(frame.raw);
  return (
    <>
      <textarea
        class="raw"
        spellcheck={false}
        aria-label="The held frame"
        value={draft}
        data-testid="held-text"
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <div class="bar">
        <Button
          title={draft === frame.raw ? "Release" : "Release as edited"}
          kind="primary"
          data-testid="let-go"
          run={() => release(model, frame, draft)}
        />
        <Button
          title="Drop"
          data-testid="drop-frame"
          run={() => release(model, frame, undefined)}
        />
        <span class="hint">After {MAX_HELD_MINUTES} minutes it is released unchanged.</span>
      </div>
    </>
  );
}
