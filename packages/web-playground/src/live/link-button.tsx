import { useState } from "preact/hooks";
import type { LinkedPage } from "../state/server-link.ts";
import { Button } from "../ui/controls.tsx";
import { writeClipboard } from "../ui/copy.ts";
import { Link } from "../ui/icons.ts";

/** Copies a link that opens a second tab. */
export function LinkButton({ to: { link } }: { readonly to: LinkedPage }) {
  const [output, setOutput] = useState("");
  const copy = async (): Promise<void> => {
    const url = await link.createLink?.();
    if (url === undefined) return;
    setOutput((await writeClipboard(url)) ? "Copied: works once, within a minute" : url);
  };
  if (link.createLink === undefined) return null;
  return (
    <>
      <Button
        title="Link for another tab"
        icon={Link}
        kind="icon"
        needsConnection
        run={() => void copy()}
        data-testid="link"
      />
      <span class="hint" role="status">
        {output}
      </span>
    </>
  );
}
