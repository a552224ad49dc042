import { countOf } from "@idewire/core/internal/base";
import { describeRedactions, formatTraceLines } from "@idewire/devtools/internal";
import { formatHar, type Trace } from "@idewire/devtools/trace";
import { useMemo, useRef, useState } from "preact/hooks";
import { ownTraceOf } from "../state/own-trace.ts";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Button } from "../ui/controls.tsx";
import { copyText, download } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useDialogAction } from "../ui/dialog-action.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { addressOf, LINK_LIMIT } from "./permalink.ts";
import { writeFile } from "./save-trace.ts";
import { TraceFileButton } from "./trace-file-button.tsx";
import { useOpenTrace } from "./use-open-trace.ts";
import { type Redaction, useRedacted } from "./use-redacted.ts";

/** The most replacements that are listed. */
const MAX_LISTED = 200;

const SERVED =
  " It opens the trace in any tab on this machine while idewire runs; to send it to somebody else, " +
  "save a file.";

/** Saves the log as a file or a link, redacted; and opens a trace. */
export function ShareDialog() {
  const { model } = usePage();
  const [texts, setTexts] = useState(false);
  const [output, setOutput] = useState("");
  // A snapshot from when the dialog was opened: the log may grow meanwhile.
  const [whole, count] = useMemo(
    () => [ownTraceOf(model), countOf(model.own.index.count, "event")] as const,
    [model],
  );
  const redaction = useRedacted(whole, texts);
  const open = useOpenTrace(setOutput);
  return (
    <Dialog title="Save and share">
      <p>
        {count}. Before anything is saved or shared, tokens, home directories and names are
        replaced:
      </p>
      <Replacements redaction={redaction} />
      <Checkbox label="Remove file contents as well" checked={texts} onchange={setTexts} />
      <Actions
        trace={redaction.redacted?.trace}
        report={setOutput}
        open={(file) => void open(file)}
      />
      <p role="status" class="output">
        {output}
      </p>
    </Dialog>
  );
}

/** The replacements, or the progress of the search for them. */
function Replacements({ redaction }: { readonly redaction: Redaction }) {
  const { redacted, issue } = redaction;
  return (
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
  );
}

interface ActionsProps {
  /** As it may be shared; undefined until it has been searched. */
  readonly trace: Trace | undefined;
  readonly report: (message: string) => void;
  readonly open: (file: File) => void;
}

function Actions({ trace, report, open }: ActionsProps) {
  const picker = useRef<HTMLInputElement>(null);
  const when = (): boolean => trace !== undefined;
  const run = (act: (trace: Trace) => Promise<void>) => () => {
    if (trace !== undefined) void act(trace);
  };
  const copyLink = run(async (trace) => report(await copyLinkTo(trace)));
  const saveJsonl = run((trace) => save("idewire-trace.jsonl", trace, formatTraceLines, report));
  const saveHar = run((trace) => save("idewire-trace.har", trace, formatHar, report));
  useDialogAction({
    openFile: () => picker.current?.click(),
    ...(when() && { copyLink, saveJsonl, saveHar }),
  });
  return (
    <div class="bar actions">
      <Button
        title="Copy a link"
        kind="primary"
        when={when}
        run={copyLink}
        data-testid="copy-link"
      />
      <Button title="Save as JSON Lines" when={when} run={saveJsonl} data-testid="save-jsonl" />
      <Button title="Save as HAR" when={when} run={saveHar} data-testid="save-har" />
      <TraceFileButton label="Open a file" testId="open-file" input={picker} onFile={open} />
    </div>
  );
}

/** @returns a message about the result, for the person */
async function copyLinkTo(trace: Trace): Promise<string> {
  const address = await addressOf(trace);
  if (address === undefined || address.length > LINK_LIMIT) {
    const length =
      address === undefined ? "far more than 100,000" : `${Math.ceil(address.length / 1000)},000`;
    return `The link would be ${length} characters long: too long for mail. Save a file instead.`;
  }
  copyText(address);
  const isServed = document.documentElement.dataset["live"] !== undefined;
  // A served page keeps its address, so that a reload returns to its folder.
  if (!isServed) history.replaceState(null, "", address);
  return `Copied: a link of ${address.length} characters.${isServed ? SERVED : ""}`;
}

async function save(
  name: string,
  trace: Trace,
  format: (trace: Trace) => Iterable<string>,
  report: (message: string) => void,
): Promise<void> {
  const onprogress = (part: number): void => {
    report(`Writing ${name}: ${Math.floor(part * 100)} %`);
  };
  download(name, await writeFile(format(trace), trace.events.length, onprogress));
  report(`Saved: ${name}.`);
}
