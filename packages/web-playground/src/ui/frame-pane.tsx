import { explainFrame, type FrameFacts } from "@idewire/core/trace";
import { useState } from "preact/hooks";
import { copyText } from "../copy.ts";
import { describeSize, describeTime } from "../words.ts";
import { JsonTree } from "./json-tree.tsx";
import { useParts } from "./parts.ts";

type Tab = "summary" | "tree" | "raw";

const tabs: readonly (readonly [Tab, string])[] = [
  ["summary", "Summary"],
  ["tree", "Tree"],
  ["raw", "Raw"],
];

/** More of a frame than this is shown only when asked for. */
const SHOWN_UNITS = 64_000;

/** One frame: in words, as a tree, and to the letter. */
export function FramePane() {
  const { view, session } = useParts();
  const [tab, setTab] = useState<Tab>("summary");
  session.version.value;
  const n = view.selected.value;
  const facts = n === undefined ? undefined : session.index.of(n);
  return (
    <section class="pane frame-pane" aria-label="Frame" data-pane="frame">
      <header class="bar">
        <h2>Frame{facts === undefined ? "" : ` ${facts.n}`}</h2>
        <div role="tablist" aria-label="Views of the frame" class="tabs">
          {tabs.map(([id, label]) => (
            <button
              type="button"
              role="tab"
              key={id}
              id={`tab-${id}`}
              aria-selected={tab === id}
              aria-controls="frame-view"
              class="tab"
              onClick={() => setTab(id)}
            >
              {label}
            </button>
          ))}
        </div>
      </header>
      <div
        id="frame-view"
        class="frame-view"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        data-testid="frame-view"
      >
        {facts === undefined ? (
          <p class="empty">
            Choose a frame in the list: here is what it says, and why it was sent.
          </p>
        ) : (
          <Frame facts={facts} tab={tab} />
        )}
      </div>
    </section>
  );
}

function Frame({ facts, tab }: { readonly facts: FrameFacts; readonly tab: Tab }) {
  const { view } = useParts();
  const raw = view.rawOf(facts.n);
  if (tab === "summary") return <Summary facts={facts} raw={raw} />;
  if (tab === "tree") return <JsonTree key={facts.n} text={raw} />;
  return <Raw key={facts.n} facts={facts} raw={raw} />;
}

function Summary({ facts, raw }: { readonly facts: FrameFacts; readonly raw: string }) {
  const { session, view } = useParts();
  const { sentence, source } = explainFrame(facts, raw);
  const event = session.log.at(facts.n);
  const cause = event?.by === undefined ? undefined : session.log.at(event.by);
  return (
    <>
      <p class="sentence">{sentence}</p>
      <dl class="facts">
        <Fact name="from">{facts.dir === "ide>agent" ? "IDE to agent" : "agent to IDE"}</Fact>
        <Fact name="at">{facts.t.toFixed(1)} ms</Fact>
        <Fact name="size">{describeSize(facts.units)} characters</Fact>
        {facts.id !== undefined && <Fact name="id">{JSON.stringify(facts.id)}</Fact>}
        {facts.durationMs !== undefined && (
          <Fact name="took">{describeTime(facts.durationMs)} ms</Fact>
        )}
        {facts.fault !== undefined && <Fact name="fault">{facts.fault}</Fact>}
        {facts.pair !== undefined && (
          <Fact name={facts.kind === "request" ? "answered by" : "answers"}>
            <FrameLink n={facts.pair} />
          </Fact>
        )}
        {cause !== undefined && (
          <Fact name="because">
            {cause.ev === "gesture" ? (
              `the ${cause.who} ${cause.text}`
            ) : cause.ev === "frame" ? (
              <FrameLink n={cause.n} />
            ) : (
              `of event ${cause.n}`
            )}
          </Fact>
        )}
        {source !== undefined && <Fact name="source">{source}</Fact>}
      </dl>
      <JsonTree key={facts.n} text={raw} />
      <Actions n={facts.n} raw={raw} />
    </>
  );

  function FrameLink({ n }: { readonly n: number }) {
    return (
      <button
        type="button"
        class="link"
        onClick={() => {
          view.selected.value = n;
        }}
      >
        frame {n}
      </button>
    );
  }
}

function Fact(props: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

function Actions({ n, raw }: { readonly n: number; readonly raw: string }) {
  const { session } = useParts();
  return (
    <div class="bar actions">
      <button type="button" onClick={() => copyText(raw)}>
        Copy JSON
      </button>
      <button type="button" onClick={() => copyText(`${JSON.stringify(session.log.at(n))}\n`)}>
        Copy as trace line
      </button>
      <button
        type="button"
        onClick={() => {
          session.cursor.value = session.cursor.value === n ? undefined : n;
        }}
      >
        {session.cursor.value === n ? "Back to now" : "Go to this moment"}
      </button>
    </div>
  );
}

function Raw({ facts, raw }: { readonly facts: FrameFacts; readonly raw: string }) {
  const { session } = useParts();
  const [whole, setWhole] = useState(false);
  const [draft, setDraft] = useState(raw);
  const isCut = raw.length > SHOWN_UNITS && !whole;
  const { simulation } = session;
  return (
    <>
      {isCut ? (
        <>
          <pre class="raw">{raw.slice(0, SHOWN_UNITS)}</pre>
          <button type="button" onClick={() => setWhole(true)}>
            Show all {describeSize(raw.length)} characters
          </button>
        </>
      ) : (
        <textarea
          class="raw"
          spellcheck={false}
          aria-label="The frame as it was sent; edit it to send another"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      )}
      <div class="bar actions">
        <button type="button" onClick={() => copyText(raw)}>
          Copy
        </button>
        {simulation !== undefined && !isCut && (
          <button
            type="button"
            data-testid="resend"
            onClick={() =>
              simulation.gesture("person", `sends frame ${facts.n} again`, () =>
                simulation.send(facts.dir, draft, facts.n),
              )
            }
          >
            {draft === raw ? "Send again" : "Send edited"}
          </button>
        )}
      </div>
    </>
  );
}
