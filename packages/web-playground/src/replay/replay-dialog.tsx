import type { LeftOut } from "@idewire/devtools/internal";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Comparison } from "../compare/comparison.tsx";
import { type OfferedSession, offerSessions } from "../compare/sessions.ts";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Button, Select } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { type CopyReplay, replayInCopy } from "./replay-in-copy.ts";

/** Sends the agent's frames of a trace to the editor again and compares the answers. */
export function ReplayDialog() {
  const { model } = usePage();
  return (
    <Dialog title="Replay against the editor">
      {model.kind.value === "live" ? (
        <>
          <p>
            Only an agent may ask the editor behind this page. Save the trace, and replay it in a
            terminal:
          </p>
          <ShellCommand command="idewire trace replay idewire-trace.jsonl" />
        </>
      ) : (
        <Offered />
      )}
    </Dialog>
  );
}

function Offered() {
  const { model } = usePage();
  const [chosen, setChosen] = useState("");
  // A snapshot from when the dialog was opened: the log may grow meanwhile.
  const offered = useMemo(
    () =>
      offerSessions(model.own).filter(
        ({ of, session }) => of === model.own && session.handshake.params !== undefined,
      ),
    [model],
  );
  const a = offered.find(({ id }) => id === chosen) ?? offered[0];
  if (a === undefined) {
    return <p class="hint">This trace has no connection that begins with its handshake.</p>;
  }
  return (
    <>
      <p>
        The agent's messages are sent again to a copy of this page's editor (B), with the files,
        tabs and selection recorded at the start of the connection. Its answers are compared with
        those of the trace (A).
      </p>
      <div class="form comparison">
        <Select
          label="Connection"
          value={a.id}
          testid="replay-session"
          options={offered.map(({ id, label }) => [id, label] as const)}
          onselect={setChosen}
        />
      </div>
      <Replay key={a.id} a={a} />
    </>
  );
}

function Replay({ a }: { readonly a: OfferedSession }) {
  const { model } = usePage();
  const [all, setAll] = useState(false);
  const [run, setRun] = useState<AbortController | undefined>();
  const [done, setDone] = useState<CopyReplay | undefined>();
  useEffect(() => () => run?.abort(), [run]);
  const replay = async (): Promise<void> => {
    const controller = new AbortController();
    setRun(controller);
    setDone(await replayInCopy(model, a.session, { all, signal: controller.signal }));
    setRun(undefined);
  };
  return (
    <>
      <Checkbox
        label="Also send requests that show or change something (no diff is answered)"
        checked={all}
        onchange={setAll}
      />
      <div class="bar actions">
        <Button
          title={run === undefined ? "Replay" : "Replaying…"}
          kind="primary"
          data-testid="replay"
          when={() => !(run !== undefined)}
          run={() => void replay()}
        />
      </div>
      {done !== undefined && <Result done={done} a={a} />}
    </>
  );
}

function Result({ done, a }: { readonly done: CopyReplay; readonly a: OfferedSession }) {
  const { recorded, live, comparison, leftOut } = done.replay;
  return (
    <>
      <Comparison
        compared={comparison}
        a={{ ...a, session: recorded }}
        b={{ id: "live", label: "the editor", session: live, of: done.of }}
      />
      {leftOut.length > 0 && <NotSent leftOut={leftOut} />}
    </>
  );
}

function NotSent({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  const reasons = [...new Set(leftOut.map(({ why }) => why))];
  return (
    <section>
      <h3>Not sent</h3>
      <ul class="redactions" data-testid="not-sent">
        {reasons.map((why) => (
          <li key={why}>
            <ForeignText text={namesOf(leftOut.filter((one) => one.why === why))} />
            {`: ${why}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function namesOf(leftOut: readonly LeftOut[]): string {
  const names = leftOut.map(({ message: { tool, method, n } }) => tool ?? method ?? `event ${n}`);
  return [...new Set(names)].join(", ");
}
