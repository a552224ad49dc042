import { countOf } from "@idewire/core/internal/base";
import {
  describeRedactions,
  type ScenarioText,
  scenarioTextFromTrace,
} from "@idewire/devtools/internal";
import { useMemo, useState } from "preact/hooks";
import { ownTraceOf } from "../state/own-trace.ts";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { copyText, download } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";

const FILE = "recorded.scenario.jsonl";

/** The scenario that plays the editor's side of this trace, and the events that it omits. */
export function ScenarioDialog() {
  const { model } = usePage();
  // A snapshot from when the dialog was opened: the log may grow meanwhile.
  const made = useMemo(() => scenarioTextFromTrace(ownTraceOf(model)), [model]);
  return (
    <Dialog title="Save as a scenario">
      {made.ok ? (
        <Made made={made.value} />
      ) : (
        <p class="issue">{`This cannot be a scenario: ${made.issue}.`}</p>
      )}
    </Dialog>
  );
}

function Made({ made }: { readonly made: ScenarioText }) {
  const { steps, text, folder, redactions } = made;
  const [output, setOutput] = useState("");
  const { model } = usePage();
  const omissions = groupOmissions(made, (n) => model.own.index.numberOf(n));
  return (
    <>
      <p>
        <code>idewire simulate</code> plays the editor and you as recorded, and expects the agent to
        do what was recorded: {countOf(steps, "step")}, in the folder <ForeignText text={folder} />.
      </p>
      <div class="bar actions">
        <Button
          title="Save"
          kind="primary"
          data-testid="save-scenario"
          run={() => {
            download(FILE, text);
            setOutput(`Saved: ${FILE}. Run: idewire simulate ${FILE} -- <the agent's command>`);
          }}
        />
        <Button
          title="Copy"
          data-testid="copy-scenario"
          run={() => {
            copyText(text);
            setOutput("Copied.");
          }}
        />
      </div>
      <p role="status" class="output">
        {output}
      </p>
      {redactions.length > 0 && <p>{describeRedactions(redactions).join(", ")}.</p>}
      <h3>Not in the scenario</h3>
      <ul class="redactions" data-testid="omissions">
        {omissions.map(([why, events]) => (
          <li key={why}>
            <ForeignText text={why} />
            <span class="hint">{` (event${events.length === 1 ? "" : "s"} ${listOf(events)})`}</span>
          </li>
        ))}
        {omissions.length === 0 && <li>Nothing is left out.</li>}
      </ul>
      <details>
        <summary>The scenario</summary>
        <pre class="raw" data-testid="scenario-text">
          <ForeignText text={text.slice(0, 64_000)} />
        </pre>
      </details>
    </>
  );
}

/** The numbers of the events by reason, as the list has them. */
function groupOmissions({ omissions }: ScenarioText, numberOf: (n: number) => number) {
  const groups = new Map<string, Set<number>>();
  for (const { n, why } of omissions) {
    groups.set(why, (groups.get(why) ?? new Set()).add(numberOf(n)));
  }
  return [...groups].map(([why, numbers]) => [why, [...numbers]] as const);
}

function listOf(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 8).join(", ");
  return numbers.length > 8 ? `${shown} and ${numbers.length - 8} more` : shown;
}
