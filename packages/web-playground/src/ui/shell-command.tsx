import { useState } from "preact/hooks";

/** A command line, and a way to take it to a terminal. */
export function ShellCommand({ command }: { readonly command: string }) {
  const [output, setOutput] = useState("");
  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard?.writeText(command).then(
      () => true,
      () => false,
    );
    setOutput(copied === true ? "Copied" : "Select it, and copy it by hand");
  };
  return (
    <span class="shell">
      <code>{command}</code>
      <button type="button" aria-label={`Copy ${command}`} onClick={() => void copy()}>
        Copy
      </button>
      <span class="hint" role="status">
        {output}
      </span>
    </span>
  );
}
