import { findHidden } from "@idewire/core/internal";
import type { FrameFacts } from "@idewire/devtools/internal";
import type { ComponentChildren } from "preact";
import { useCallback, useContext, useMemo, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { describeSize } from "../ui/figures.ts";
import { FindIn } from "./find-bar.tsx";
import { findInText } from "./find-text.ts";
import { CurrentSearch, MatchedText } from "./matched-text.tsx";

/** The rest of a longer frame is shown on demand. */
const SHOWN_UNITS = 64_000;

/** A frame and its text. */
export interface FrameProps {
  readonly facts: FrameFacts;
  readonly raw: string;
}

/** The raw frame; it can be edited and sent again if this page may send it. */
export function RawView({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const [whole, setWhole] = useState(false);
  const [draft, setDraft] = useState(raw);
  // A text field cannot show hidden characters.
  const hides = useMemo(() => findHidden(raw).next().done !== true, [raw]);
  const isCut = (raw.length > SHOWN_UNITS || hides) && !whole;
  const { simulation, inspector } = model;
  // Frames of the editor were sent to this page and cannot be sent again.
  const isOurs = simulation !== undefined || (inspector?.canSend && facts.dir === "agent>ide");
  const canSend = isOurs && !model.showsOtherFrames.value;
  const send = (): void => {
    void inspector?.send(draft, facts.ch);
    simulation?.perform("person", `sends frame ${facts.number} again`, () =>
      simulation.send(facts.dir, draft, facts.n),
    );
  };
  return (
    <FindIn find={useCallback((text: string) => findInText(text, draft), [draft])}>
      <Text text={draft} isCut={isCut}>
        <textarea
          class="raw"
          spellcheck={false}
          aria-label={`The frame as it was sent${canSend ? "; edit it to send another" : ""}`}
          readOnly={!canSend}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </Text>
      {isCut && (
        <Button
          title={hides ? "Show the raw text" : `Show all ${describeSize(raw.length)} characters`}
          run={() => setWhole(true)}
        />
      )}
      <div class="bar actions">
        <Button title="Copy" run={() => copyText(raw)} />
        {canSend && !isCut && (
          <Button
            title={draft === raw ? "Send again" : "Send edited"}
            data-testid="resend"
            needsConnection
            run={send}
          />
        )}
      </div>
    </FindIn>
  );
}

interface TextProps {
  readonly text: string;
  readonly isCut: boolean;
  /** The field with the text. */
  readonly children: ComponentChildren;
}

/** The field, or the part of the text that is shown at once: a field cannot highlight matches. */
function Text({ text, isCut, children }: TextProps) {
  const searched = useContext(CurrentSearch);
  if (searched === undefined && !isCut) return <>{children}</>;
  const at = searched?.now?.at ?? 0;
  const from = at < SHOWN_UNITS ? 0 : at - SHOWN_UNITS / 2;
  const to = from + SHOWN_UNITS;
  return (
    <pre class="raw">
      {from > 0 && "…"}
      <MatchedText text={text.slice(from, to)} from={from} />
      {to < text.length && "…"}
    </pre>
  );
}
