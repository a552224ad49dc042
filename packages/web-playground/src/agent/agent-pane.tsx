import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Plug, Unplug } from "../ui/icons.ts";
import { Lazy } from "../ui/lazy.tsx";
import { Transcript } from "../ui/transcript.tsx";

const prompt = () => import("./agent-prompt.tsx").then(({ AgentPrompt }) => AgentPrompt);

/** The agent's end: its output, and requests to it. */
export function AgentPane() {
  const { model } = usePage();
  const { connected } = model.state.value;
  // The sessions are unknown while the connection is lost.
  const status = !model.isReachable ? "unknown" : connected ? "connected" : "closed";
  const { simulation } = model;
  const live = model.cursor.value === undefined && simulation !== undefined;
  const toggle = (): void => {
    if (connected) simulation?.perform("agent", "ends", () => simulation.disconnect(1000));
    else simulation?.perform("agent", "starts", () => void simulation.connect());
  };
  return (
    <CommandScope.Provider value="Agent">
      <section class="pane agent-pane" aria-label="Agent" data-pane="agent">
        <header class="bar">
          <h2>Agent</h2>
          <span class="status" data-testid="session" data-status={status}>
            {status === "closed" ? "not connected" : status}
          </span>
          <span class="spring" />
          {simulation !== undefined && (
            <Button
              title={connected ? "Disconnect" : "Connect"}
              icon={connected ? Unplug : Plug}
              when={() => live}
              run={toggle}
            />
          )}
        </header>
        <Transcript label="Agent transcript" limit={200} tabIndex={0} />
        {live && connected && (
          <footer class="bar asks">
            <Lazy load={prompt} />
          </footer>
        )}
      </section>
    </CommandScope.Provider>
  );
}
