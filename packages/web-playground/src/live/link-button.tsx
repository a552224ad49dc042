import type { ReadonlySignal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { LiveStatus } from "./live-socket.ts";

/** A page that idewire serves, of which there can be a second one. */
interface Linked {
  readonly status: ReadonlySignal<LiveStatus>;
  /** An address for another tab; undefined when idewire cannot be asked. */
  createLink(): Promise<string | undefined>;
}

/** The way to a second tab. */
export function LinkButton({ to }: { readonly to: Linked }) {
  const [output, setOutput] = useState("");
  const copy = async (): Promise<void> => {
    const link = await to.createLink();
    if (link === undefined) return;
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    setOutput(copied === true ? "Copied: good once, for a minute" : link);
  };
  return (
    <>
      <button
        type="button"
        disabled={to.status.value !== "connected"}
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
