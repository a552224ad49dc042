import { countOf } from "@idewire/core/internal/base";
import {
  describeRedactions,
  formatTraceLines,
  type RedactedTrace,
} from "@idewire/devtools/internal";
import { formatHar, type Trace } from "@idewire/devtools/trace";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ownTraceOf } from "../state/own-trace.ts";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Button } from "../ui/controls.tsx";
import { copyText, download } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useDialogAction } from "../ui/dialog-action.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { MAX_FILE_BYTES, openFile } from "./open-trace.ts";
import { addressOf, LINK_LIMIT } from "./permalink.ts";
import { writeFile } from "./save-trace.ts";
import { TraceFileButton } from "./trace-file-button.tsx";
import { useRedacted } from "./use-redacted.ts";

/** The most replacements that are listed. */
const MAX_LISTED = 200;

const SERVED =
  " It opens the trace in any tab on this machine while idewire runs; to send it to somebody else, " +
  "save a file.";

/** Saves the log as a file or a link, redacted; and opens a trace. */
export function ShareDialog() {
  const { model, player, view } = usePage();
  const [texts, setTexts] = useState(false);
  const [output, setOutput] = useState("");
  // A snapshot from when the dialog was opened: the log may grow meanwhile.
  const [whole, count] = useMemo(
    () => [ownTraceOf(model), countOf(model.own.index.count, "event")] as const,
    [model],
  );
  const redaction = useRedacted(whole, texts);
  const { redacted, issue } = redaction;
  const reading = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const dropped = view.dropped.value;
  useEffect(() => {
    if (dropped === undefined) return;
    view.dropped.value = undefined;
    void open(dropped);
  }, [dropped]);
  const isBusy = redacted === undefined;
  const picker = useRef<HTMLInputElement>(null);
  const saveJsonl = (): void => void save("idewire-trace.jsonl", formatTraceLines);
  const saveHar = (): void => void save("idewire-trace.har", formatHar);
  const link = async ({ trace }: RedactedTrace): Promise<void> => {
    const address = await addressOf(trace);
    if (address === undefined || address.length > LINK_LIMIT) {
      const length =
        address === undefined ? "far more than 100,000" : `${Math.ceil(address.length / 1000)},000`;
      setOutput(
        `The link would be ${length} characters long: too long for mail. Save a file instead.`,
      );
      return;
    }
    copyText(address);
    const isServed = document.documentElement.dataset["live"] !== undefined;
    // A served page keeps its address, so that a reload returns to its folder.
    if (!isServed) history.replaceState(null, "", address);
    setOutput(`Copied: a link of ${address.length} characters.${isServed ? SERVED : ""}`);
  };
  const copyLink = (): void => void (redacted !== undefined && link(redacted));
  useDialogAction({
    openFile: () => picker.current?.click(),
    ...(!isBusy && { copyLink, saveJsonl, saveHar }),
  });
  return (
    <Dialog title="Save and share">
      <p>
        {count}. Before anything is saved or shared, tokens, home directories and names are
        replaced:
      </p>
      <ul class="redactions" data-testid="redactions">
        {redacted?.redactions.slice(0, MAX_LISTED).map((one) => (
          <li key={`${one.what} ${one.sample}`}>
            {describeRedactions([one])} (<ForeignText text={one.sample.slice(0, 80)} />)
          </li>
        ))}
        {redacted?.redactions.length === 0 && <li>Nothing to replace.</li>}
        {(redacted?.redactions.length ?? 0) > MAX_LISTED && <li>More of the same kinds.</li>}
        {"done" in redaction && <li>Searching: {Math.floor(redaction.done * 100)} %</li>}
        {issue !== undefined && (
          <li>The trace cannot be shared, since it cannot be searched: {issue}</li>
        )}
      </ul>
      <Checkbox label="Remove file contents as well" checked={texts} onchange={setTexts} />
      <div class="bar actions">
        <Button
          title="Copy a link"
          kind="primary"
          when={() => !isBusy}
          run={copyLink}
          data-testid="copy-link"
        />
        <Button
          title="Save as JSON Lines"
          data-testid="save-jsonl"
          when={() => !isBusy}
          run={saveJsonl}
        />
        <Button title="Save as HAR" data-testid="save-har" when={() => !isBusy} run={saveHar} />
        <TraceFileButton
          label="Open a file"
          testId="open-file"
          input={picker}
          onFile={(file) => void open(file)}
        />
      </div>
      <p role="status" class="output">
        {output}
      </p>
    </Dialog>
  );

  async function save(name: string, format: (trace: Trace) => Iterable<string>): Promise<void> {
    if (redacted === undefined) return;
    const { trace } = redacted;
    const onprogress = (part: number): void => {
      setOutput(`Writing ${name}: ${Math.floor(part * 100)} %`);
    };
    download(name, await writeFile(format(trace), trace.events.length, onprogress));
    setOutput(`Saved: ${name}.`);
  }

  async function open(file: File): Promise<void> {
    if (file.size > MAX_FILE_BYTES) {
      setOutput(`${file.name} is ${toMegabytes(file.size)}; the limit is 1000 MB.`);
      return;
    }
    reading.current?.abort();
    const stop = new AbortController();
    reading.current = stop;
    setOutput(`Reading ${file.name}…`);
    const onprogress = (units: number): void => {
      setOutput(`Reading ${file.name}: ${toMegabytes(units)} of ${toMegabytes(file.size)}`);
    };
    const { signal } = stop;
    const issue = await openFile(model, file, { onprogress, signal }).catch(String);
    if (signal.aborted) return;
    if (issue !== undefined) setOutput(`${file.name} cannot be opened: ${issue}`);
    else {
      player.leave();
      view.dialog.value = undefined;
    }
  }
}

function toMegabytes(count: number): string {
  return `${(count / 1e6).toFixed(1)} MB`;
}
