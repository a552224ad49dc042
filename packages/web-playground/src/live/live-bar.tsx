import { useState } from "preact/hooks";
import { useParts } from "../ui/parts.ts";

/** Which folder it is, and the way to a second tab. */
export function LiveBar() {
  const { session, view } = useParts();
  const { live } = session;
  const [said, setSaid] = useState("");
  if (live === undefined) return null;
  const copy = async (): Promise<void> => {
    const link = await live.createLink();
    if (link === undefined) return;
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    setSaid(copied === true ? "Copied: good once, for a minute" : link);
  };
  return (
    <>
      <span class="live-folder" title={live.folder.value}>
        {live.folder.value}
      </span>
      <button
        type="button"
        disabled={live.status.value !== "connected"}
        onClick={() => void copy()}
        data-testid="link"
      >
        Link for another tab
      </button>
      <button
        type="button"
        onClick={() => {
          view.dialog.value = "doctor";
        }}
        data-testid="doctor"
      >
        Doctor
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}
