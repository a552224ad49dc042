import { useState } from "preact/hooks";
import { Button } from "../../ui/controls.tsx";

/** The document that may connect to other servers; undefined where there is none, such as in a single file. */
export function inspectorDocument(): string | undefined {
  return document.documentElement.dataset["inspector"];
}

interface ServerFormProps {
  readonly onconnect: (url: string) => void;
}

/** The address of an MCP server that this browser can reach. */
export function ServerForm({ onconnect }: ServerFormProps) {
  const [text, setText] = useState("");
  const url = addressIn(text);
  const submit = (): void => {
    if (url !== undefined) onconnect(url);
  };
  return (
    <form
      class="server-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label for="server-url">An MCP server that this browser can reach</label>
      <div class="bar">
        <input
          id="server-url"
          class="spring"
          type="url"
          placeholder="URL of its MCP endpoint"
          value={text}
          data-testid="server-url"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          title="Connect"
          kind="primary"
          when={() => url !== undefined}
          run={submit}
          data-testid="connect-url"
        />
      </div>
      <p class="hint">
        This page becomes its client, without idewire. The server must allow {location.origin} by
        CORS and expose the header <code>mcp-session-id</code>; if it requires a login, so must its
        authorization server allow this page. MCP Apps, logins on another device and servers over
        stdio need <code>idewire inspect</code>.
      </p>
    </form>
  );
}

function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  return /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).href : undefined;
}
