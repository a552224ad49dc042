import type { DoctorReport, DoctorStep } from "@idewire/devtools/internal";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ChoiceList } from "../ui/choice-list.tsx";
import { Button } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { statusOf, summarise, worstOf } from "./doctor.ts";
import { folderOf, type PageFolder } from "./page-folder.ts";

/** The steps of `idewire doctor`: why an agent does not find the folder's editor. */
export function DoctorDialog() {
  const { model } = usePage();
  const live = folderOf(model);
  if (live === undefined) return null;
  return (
    <Dialog title="Connection doctor">
      <Report live={live} />
    </Dialog>
  );
}

function Report({ live }: { readonly live: PageFolder }) {
  const { model } = usePage();
  const { doctor } = live;
  const [chosen, setChosen] = useState<string | undefined>();
  // A line of the transcript for each connection and disconnection.
  const sessionChanges = model.state.value.transcript.length;
  const status = live.link.status.value;
  useEffect(() => {
    if (status === "connected") void doctor.run();
  }, [doctor, sessionChanges, status]);
  const steps = doctor.steps.value;
  const worst = worstOf(steps);
  const step = steps.find(({ id }) => id === chosen) ?? worst;
  const report = doctor.report.value;
  return (
    <>
      <div class="doctor-head">
        <p role="status" data-testid="doctor-status" data-status={statusOf(doctor)}>
          {summarise(doctor)}
        </p>
        <Button
          title="Run again"
          when={() => !doctor.running.value}
          needsConnection
          run={() => void doctor.run()}
        />
      </div>
      {report !== undefined && <Agents report={report} />}
      <ChoiceList
        label="Steps"
        autofocus
        testid="doctor-steps"
        chosen={step?.id}
        onchoose={setChosen}
        groups={[
          { choices: steps.map((each) => ({ id: each.id, content: <Line step={each} /> })) },
        ]}
      />
      {step !== undefined && <Details step={step} />}
      {report !== undefined && worst?.outcome !== "failed" && <Rules report={report} />}
      {report !== undefined && (
        <p>
          The same in a terminal: <ShellCommand command={report.command} />
        </p>
      )}
    </>
  );
}

function Line({ step: { outcome, title, detail } }: { readonly step: DoctorStep }) {
  return (
    <span class="doctor-line">
      <i class={`verdict ${outcome}`}>{outcome}</i>
      <b>{title}</b>
      <ForeignText text={detail} />
    </span>
  );
}

function Details({ step: { title, detail, advice = [] } }: { readonly step: DoctorStep }) {
  return (
    <section class="details" aria-label={title} data-testid="doctor-details">
      <h3>{title}</h3>
      <p>
        <ForeignText text={detail} />
      </p>
      {advice.length > 0 && (
        <ul>
          {advice.map(({ words: what, command }) => (
            <li key={what}>
              <ForeignText text={what} />
              {command !== undefined && <ShellCommand command={command} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Agents({ report: { agents } }: { readonly report: DoctorReport }) {
  const named = agents.map(({ title, version, pid }) => {
    return `${title} ${version}${pid === undefined ? "" : ` (process ${pid})`}`;
  });
  return (
    <p data-testid="doctor-agents">
      {named.length === 0 ? (
        "No agent is connected. The doctor runs again when one connects."
      ) : (
        <>
          Connected now: <ForeignText text={named.join(", ")} />.
        </>
      )}
    </p>
  );
}

function Rules({ report: { rules } }: { readonly report: DoctorReport }) {
  return (
    <details>
      <summary>If an agent still does not see the editor</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </details>
  );
}
