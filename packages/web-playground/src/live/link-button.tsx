import { useState } from "preact/hooks";
import type { LinkedPage } from "../state/server-link.ts";

/** The way to a second tab. */
export function LinkButton({ to: { link } }: { readonly to: LinkedPage }) {
  const [output, setOutput] = useState("");
  const copy = async (): Promise<void> => {
    const url = await link.createLink();
    if (url === undefined) return;
    const copied = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    );
    setOutput(copied === true ? "Copied: good once, for a minute" : url);
  };
  return (
    <>
      <button
        type="button"
        disabled={link.status.value !== "connected"}
        onClick={() => void copy()}
        data-testid="link"
      >
        Link for another tab
      </button>
      <span class="hint" role="status">
        {output}
      </span>
    </>
  );
}
