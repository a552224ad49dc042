import { useState } from "preact/hooks";
import { Button } from "./controls.tsx";
import { writeClipboard } from "./copy.ts";
import { Copy } from "./icons.ts";

/** A command line, and a button that copies it. */
export function ShellCommand({ command }: { readonly command: string }) {
  const [output, setOutput] = useState("");
  const copy = async (): Promise<void> => {
    setOutput((await writeClipboard(command)) ? "Copied" : "Select and copy it by hand");
  };
  return (
    <span class="shell">
      <code>{command}</code>
      <Button
        title={`Copy ${command}`}
        aria-label={`Copy ${command}`}
        icon={Copy}
        kind="icon"
        tooltip="Copy"
        run={() => void copy()}
      />
      <span class="hint" role="status">
        {output}
      </span>
    </span>
  );
}
