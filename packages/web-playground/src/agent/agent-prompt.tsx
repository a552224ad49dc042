import { usePage } from "../state/page-context.ts";
import { proposals } from "./sample-changes.ts";

/** What the person can have the agent do, or what the agent asks the person. */
export function Asks() {
  const { model } = usePage();
  const isAsked =
    model.state.value.reviews.length > 0 && (model.simulation?.agent.waiting.length ?? 0) > 0;
  return isAsked ? <Prompt /> : <Offer />;
}

/** The terminal asks the same question as the editor; the first answer wins. */
function Prompt() {
  const { model } = usePage();
  const answer = (accept: boolean): void => {
    const { simulation } = model;
    simulation?.perform("person", `says ${accept ? "yes" : "no"} in the terminal`, () =>
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

/** The person has it do something. */
function Offer() {
  const { model } = usePage();
  const { files, tabs } = model.state.value;
  const active = tabs.at(-1);
  const possible = proposals.filter(({ path, find }) => files.get(path)?.includes(find) === true);
  const first = possible.find(({ path }) => path === active) ?? possible[0];
  const ask = (): void => {
    const { simulation } = model;
    if (first === undefined || simulation === undefined) return;
    const text = simulation.textOf(first.path).replace(first.find, () => first.replace);
    void simulation.command({ do: "open", path: first.path });
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
