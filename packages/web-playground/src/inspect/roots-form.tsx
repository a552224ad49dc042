import { useState } from "preact/hooks";
import type { ServerViewProps } from "./server-view.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** The roots that a server gets from this client. */
export function RootsForm({ inspector, server }: ServerViewProps) {
  const [text, setText] = useState(server.roots.join("\n"));
  const roots = text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  const wrong = roots.find((root) => !root.startsWith("file://"));
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === undefined) void inspector.change({ server: server.name, roots });
      }}
    >
      <label class="field">
        <span>Folders that the server may know of, one file:// URI per line</span>
        <textarea
          class="raw"
          rows={4}
          spellcheck={false}
          value={text}
          data-testid="roots"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {wrong !== undefined && (
        <p class="issue" role="alert">
          A root begins with file://; got {wrong}
        </p>
      )}
      <SubmitButton disabled={wrong !== undefined} testid="set-roots">
        Set the roots
      </SubmitButton>
    </form>
  );
}
