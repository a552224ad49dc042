import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { sampleChanges } from "./sample-changes.ts";

/** A request to the agent, or the agent's question. */
export function AgentPrompt() {
  const { model } = usePage();
  const hasQuestion =
    model.state.value.reviews.length > 0 && (model.simulation?.agent.proposals.length ?? 0) > 0;
  return hasQuestion ? <Question /> : <Offer />;
}

/**
 * The terminal asks the same question as the editor, and the first answer wins. Here it is shown only on
 * request, so that the page asks once.
 */
function Question() {
  const { simulation } = usePage().model;
  const [isHere, setHere] = useState(false);
  const answer = (accept: boolean): void => {
    simulation?.perform("person", `answers ${accept ? "yes" : "no"} in the terminal`, () =>
      simulation.agent.answerInTerminal(accept),
    );
  };
  return (
    <>
      <span class="question">Make this change?</span>
      {isHere ? (
        <>
          <Button title="Yes" run={() => answer(true)} />
          <Button title="No" run={() => answer(false)} />
        </>
      ) : (
        <>
          <span class="hint">Answer in the editor, or</span>
          <Button title="here in the terminal" kind="link" run={() => setHere(true)} />
        </>
      )}
    </>
  );
}

function Offer() {
  const { model } = usePage();
  const { files, tabs } = model.state.value;
  const active = tabs.at(-1);
  const possible = sampleChanges.filter(({ path, find }) => files.get(path)?.includes(find));
  const first = possible.find(({ path }) => path === active) ?? possible[0];
  const propose = (): void => {
    const { simulation } = model;
    if (first === undefined || simulation === undefined) return;
    const text = simulation.textOf(first.path).replace(first.find, () => first.replace);
    void simulation.command({ do: "open", path: first.path });
    simulation.perform("agent", `wants to change ${first.path}`, () =>
      simulation.propose(first.path, text),
    );
  };
  return (
    <>
      <Button
        title="Ask for a change"
        kind="primary"
        when={() => first !== undefined}
        run={propose}
        data-testid="ask"
      />
      <span class="hint">
        {first?.ask ?? "No changes left to ask for. Restart the simulation."}
      </span>
    </>
  );
}
