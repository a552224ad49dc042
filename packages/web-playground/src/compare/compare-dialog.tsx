import { compareSessions } from "@idewire/devtools/trace";
import { useMemo, useState } from "preact/hooks";
import { MAX_FILE_BYTES, readTraceFile } from "../share/open-trace.ts";
import { TraceFileButton } from "../share/trace-file-button.tsx";
import { usePage } from "../state/page-context.ts";
import { Select } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Comparison } from "./comparison.tsx";
import {
  choosePair,
  chosenIds,
  type OfferedSession,
  offerSessions,
  openedTraces,
} from "./sessions.ts";

/** Two sessions side by side, of this trace or of another. */
export function CompareDialog() {
  const { model } = usePage();
  const { own } = model;
  const [output, setOutput] = useState("");
  const opened = openedTraces.value;
  // A snapshot from when the dialog or another trace was opened: the log may grow meanwhile.
  const offered = useMemo(() => offerSessions(own), [own, opened]);
  const { a, b } = choosePair(offered, own);
  const compared = useMemo(
    () => (a === undefined || b === undefined ? undefined : compareSessions(a.session, b.session)),
    [a, b],
  );
  const open = async (file: File): Promise<void> => {
    if (file.size > MAX_FILE_BYTES) {
      setOutput(`${file.name} is too large: the limit is 1000 MB.`);
      return;
    }
    setOutput(`Reading ${file.name}…`);
    const read = await readTraceFile(file);
    const issue = typeof read === "string" ? read : undefined;
    setOutput(issue === undefined ? "" : `${file.name} cannot be opened: ${issue}`);
    if (typeof read === "string") return;
    openedTraces.value = [...openedTraces.value, { name: file.name, recorded: read.recorded }];
    const { b: _, ...rest } = chosenIds.value;
    chosenIds.value = rest;
  };
  return (
    <Dialog title="Compare sessions">
      <div class="form comparison">
        <Choice side="a" offered={offered} chosen={a} />
        <Choice side="b" offered={offered} chosen={b} />
        <TraceFileButton
          label="Open another trace"
          testId="compare-file"
          onFile={(file) => void open(file)}
        />
      </div>
      {output !== "" && (
        <p role="status" class="output">
          {output}
        </p>
      )}
      {a !== undefined && b !== undefined && compared !== undefined ? (
        <Comparison compared={compared} a={a} b={b} />
      ) : (
        <p class="hint">
          {a === undefined
            ? "This trace has no frames yet."
            : "This trace has one connection. Open another trace, or connect a second agent."}
        </p>
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly side: "a" | "b";
  readonly offered: readonly OfferedSession[];
  readonly chosen: OfferedSession | undefined;
}

function Choice({ side, offered, chosen }: ChoiceProps) {
  const none = chosen === undefined ? [["", "(none)"] as const] : [];
  return (
    <Select
      label={side.toUpperCase()}
      labelClass={`side ${side}`}
      value={chosen?.id ?? ""}
      testid={`compare-${side}`}
      options={[...none, ...offered.map(({ id, label }) => [id, label] as const)]}
      onselect={(id) => {
        chosenIds.value = { ...chosenIds.value, [side]: id };
      }}
    />
  );
}
