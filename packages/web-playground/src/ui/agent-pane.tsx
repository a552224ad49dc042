import { useEffect, useRef } from "preact/hooks";
import { proposals } from "../proposals.ts";
import { useParts } from "./parts.ts";

/** The agent's end: what it says to its person, and what one can have it do. */
export function AgentPane() {
  const { session } = useParts();
  const { transcript, connected, reviews } = session.state.value;
  const { simulation } = session;
  const live = session.cursor.value === undefined && simulation !== undefined;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [transcript.length]);
  return (
    <section class="pane agent-pane" aria-label="Agent" data-pane="agent">
      <header class="bar">
        <h2>Agent</h2>
        <span class="status" data-testid="session" data-status={connected ? "connected" : "closed"}>
          {connected ? "connected" : "not connected"}
        </span>
        <span class="spring" />
        {simulation !== undefined && (
          <button
            type="button"
            disabled={!live}
            onClick={() =>
              connected
                ? simulation.gesture("agent", "ends", () => simulation.disconnect(1000))
                : void simulation.gesture("agent", "starts", () => simulation.connect())
            }
          >
            {connected ? "Disconnect" : "Connect"}
          </button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <ol class="transcript" ref={list} tabIndex={0} aria-label="What the agent says">
        {transcript.slice(-200).map(({ n, text }) => (
          <li key={n}>{text}</li>
        ))}
      </ol>
      {live && connected && (
        <footer class="bar asks">
          {reviews.length > 0 && simulation.agent.waiting.length > 0 ? <Prompt /> : <Asks />}
        </footer>
      )}
    </section>
  );
}

/** The terminal asks the same question as the editor; the first answer wins. */
function Prompt() {
  const { session } = useParts();
  const answer = (accept: boolean): void => {
    const { simulation } = session;
    simulation?.gesture("person", `says ${accept ? "yes" : "no"} in the terminal`, () =>
      simulation.agent.answerInTerminal(accept),
    );
  };
  return (
    <>
      <span class="question">Make this change?</span>
      <button type="button" onClick={() => answer(true)}>
        Yes, here
      </button>
      <button type="button" onClick={() => answer(false)}>
        No, here
      </button>
    </>
  );
}

function Asks() {
  const { session } = useParts();
  const { files, tabs } = session.state.value;
  const active = tabs.at(-1);
  const possible = proposals.filter(({ path, find }) => files.get(path)?.includes(find) === true);
  const first = possible.find(({ path }) => path === active) ?? possible[0];
  const ask = (): void => {
    const { simulation } = session;
    if (first === undefined || simulation === undefined) return;
    const text = simulation.textOf(first.path).replace(first.find, () => first.replace);
    simulation.editor.openFile(first.path);
    simulation.propose(first.path, text);
  };
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={first === undefined}
        onClick={ask}
        data-testid="ask"
      >
        Ask for a change
      </button>
      <span class="hint">{first?.ask ?? "Nothing is left to change here. Start again."}</span>
    </>
  );
}
