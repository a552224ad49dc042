import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Later } from "../ui/later.tsx";

const STATUS_WORDS = { connected: "connected", closed: "not connected", unknown: "not known" };

const asks = () => import("./agent-prompt.tsx").then((module) => module.Asks);

/** The agent's end: what it says to its person, and what one can have it do. */
export function AgentPane() {
  const { model } = usePage();
  const { transcript, connected } = model.state.value;
  // Of an editor that is lost nobody knows who is there.
  const status = !model.isReachable ? "unknown" : connected ? "connected" : "closed";
  const { simulation } = model;
  const live = model.cursor.value === undefined && simulation !== undefined;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [transcript.length]);
  return (
    <section class="pane agent-pane" aria-label="Agent" data-pane="agent">
      <header class="bar">
        <h2>Agent</h2>
        <span class="status" data-testid="session" data-status={status}>
          {STATUS_WORDS[status]}
        </span>
        <span class="spring" />
        {simulation !== undefined && (
          <button
            type="button"
            disabled={!live}
            onClick={() =>
              connected
                ? simulation.perform("agent", "ends", () => simulation.disconnect(1000))
                : void simulation.perform("agent", "starts", () => simulation.connect())
            }
          >
            {connected ? "Disconnect" : "Connect"}
          </button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <ol class="transcript" ref={list} tabIndex={0} aria-label="What the agent says">
        {transcript.slice(-200).map(({ n, text }) => (
          <li key={n}>
            <ForeignText text={text} />
          </li>
        ))}
      </ol>
      {live && connected && (
        <footer class="bar asks">
          <Later load={asks} />
        </footer>
      )}
    </section>
  );
}
