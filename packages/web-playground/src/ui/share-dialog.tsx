import { formatHar, formatTrace, redactTrace } from "@idewire/core/trace";
import { useMemo, useState } from "preact/hooks";
import { copyText, download } from "../copy.ts";
import { addressOf, LINK_LIMIT, openText } from "../permalink.ts";
import { Dialog } from "./dialog.tsx";
import { useParts } from "./parts.ts";

/** Takes a session away, as a file or a link, without what is nobody else's business; and opens one. */
export function ShareDialog() {
  const { session, view } = useParts();
  const [texts, setTexts] = useState(false);
  const [said, setSaid] = useState("");
  const { trace, redactions } = useMemo(
    () => redactTrace(session.toTrace(), { texts }),
    [texts, session.version.value],
  );
  const link = async (): Promise<void> => {
    const address = await addressOf(trace);
    if (address.length > LINK_LIMIT) {
      const kilo = Math.ceil(address.length / 1000);
      setSaid(
        `The link would have ${kilo},000 characters: too long for mail. Take a file instead.`,
      );
      return;
    }
    copyText(address);
    history.replaceState(null, "", address);
    setSaid(`Copied: a link of ${address.length} characters.`);
  };
  return (
    <Dialog
      title="Keep and share"
      onclose={() => {
        view.dialog.value = undefined;
      }}
    >
      <p>
        {trace.events.length} events. Before anything leaves, tokens, home directories and names are
        replaced:
      </p>
      <ul class="redactions" data-testid="redactions">
        {redactions.map(({ what, sample, count }) => (
          <li key={`${what} ${sample}`}>
            {what}: <bdi>{sample.slice(0, 80)}</bdi>, {count} times
          </li>
        ))}
        {redactions.length === 0 && <li>nothing was found</li>}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={texts}
          onChange={({ currentTarget }) => setTexts(currentTarget.checked)}
        />
        Take out the texts of files as well
      </label>
      <div class="bar actions">
        <button type="button" class="primary" onClick={() => void link()} data-testid="copy-link">
          Copy a link
        </button>
        <button
          type="button"
          data-testid="save-jsonl"
          onClick={() => download("idewire-trace.jsonl", formatTrace(trace))}
        >
          Save as JSON Lines
        </button>
        <button type="button" onClick={() => download("idewire-trace.har", formatHar(trace))}>
          Save as HAR
        </button>
        <label class="button">
          Open a file
          <input
            type="file"
            class="visually-hidden"
            data-testid="open-file"
            accept=".jsonl,.har,.json,.txt"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file !== undefined) void open(file);
            }}
          />
        </label>
      </div>
      <p role="status" class="said">
        {said}
      </p>
    </Dialog>
  );

  async function open(file: File): Promise<void> {
    if (file.size > 256_000_000) {
      setSaid(`${file.name} has ${Math.round(file.size / 1e6)} MB; the page opens up to 256 MB.`);
      return;
    }
    const issue = openText(session, await file.text());
    if (issue !== undefined) setSaid(`${file.name} cannot be opened: ${issue}`);
    else view.dialog.value = undefined;
  }
}
