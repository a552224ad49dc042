import { inspectorDocument, ServerForm } from "../inspect/in-page/server-form.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";

const commands = [
  ["An MCP server over stdio", "idewire inspect --web -- npx -y my-server"],
  ["An MCP server at a URL", "idewire inspect --web <url>"],
  ["The servers of a configuration file", "idewire inspect --web --config mcp.json"],
  ["The traffic between an agent and the editor of a folder", "idewire inspect --web ~/my-folder"],
] as const;

/** Inspects a server that this page can reach, and explains how to inspect others; both open as another page. */
export function InspectorDialog() {
  const inspector = inspectorDocument();
  return (
    <Dialog title="Inspector">
      <p>The Inspector shows every frame of a connection and sends your own requests.</p>
      {inspector !== undefined && (
        <ServerForm
          onconnect={(url) => location.assign(`${inspector}#${new URLSearchParams({ url })}`)}
        />
      )}
      <p>Started from a terminal, the Inspector reaches every server and opens in this browser.</p>
      <dl class="inspections">
        {commands.map(([what, command]) => (
          <div key={command}>
            <dt>{what}</dt>
            <dd>
              <ShellCommand command={command} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
