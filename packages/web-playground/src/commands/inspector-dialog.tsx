import { Dialog } from "../ui/dialog.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";

const commands = [
  ["An MCP server that is a program", "idewire inspect --web -- npx -y my-server"],
  ["An MCP server with an address", "idewire inspect --web <url>"],
  ["The servers of a configuration file", "idewire inspect --web --config mcp.json"],
  ["What an agent and the editor of a folder send", "idewire inspect --web ~/my-folder"],
] as const;

/** How to inspect what this page cannot reach: it opens as another page. */
export function InspectorDialog() {
  return (
    <Dialog title="Inspector">
      <p>
        The Inspector shows every frame of a connection, and sends requests of yours. Start it in a
        terminal; it opens in this browser.
      </p>
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
