import { useState } from "preact/hooks";
import { useParts } from "../ui/parts.ts";

/** Whose frames these are, and the way to a second tab. */
export function InspectBar() {
  const { inspector } = useParts().session;
  const [said, setSaid] = useState("");
  const facts = inspector?.facts.value;
  if (inspector === undefined) return null;
  const copy = async (): Promise<void> => {
    const link = await inspector.createLink();
    if (link === undefined) return;
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    setSaid(copied === true ? "Copied: good once, for a minute" : link);
  };
  return (
    <>
      <span class="live-folder">
        {facts === undefined
          ? "inspect"
          : `${facts.mode === "agent" ? "as an agent of" : "in front of"} ${facts.editor.name}`}
      </span>
      <button
        type="button"
        disabled={inspector.status.value !== "connected"}
        onClick={() => void copy()}
        data-testid="link"
      >
        Link for another tab
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}
