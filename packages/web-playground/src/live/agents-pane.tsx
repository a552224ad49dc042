import { countOf } from "@idewire/core/internal/base";
import type { AgentMode, AgentSessionFacts } from "@idewire/devtools/internal";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Bot } from "../ui/icons.ts";
import { Transcript } from "../ui/transcript.tsx";
import type { PageFolder } from "./page-folder.ts";

const modes: Readonly<Record<AgentMode, string>> = {
  unknown: "not known before its first change",
  asks: "asks for a review",
  writes: "writes without a review",
  "no-diffs": "has no diffs: writes without a review",
};

/** The connected agents with their facts, and the transcript. */
export function AgentsPane({ live }: { readonly live: PageFolder }) {
  const { model } = usePage();
  const agents = model.isReachable ? live.agents.value : [];
  // The sessions are unknown while the connection is lost.
  const status = !model.isReachable ? "unknown" : agents.length > 0 ? "connected" : "closed";
  const words = { unknown: "unknown", connected: `${agents.length} connected`, closed: "none yet" };
  return (
    <CommandScope.Provider value="Agents">
      <section class="pane agent-pane agents-pane" aria-label="Agents" data-pane="agent">
        <header class="bar">
          <h2>Agents</h2>
          <span class="status" data-testid="session" data-status={status}>
            {words[status]}
          </span>
        </header>
        <ul
          class="agents"
          aria-label="Connected agents"
          // Scrollable content must be reachable by keyboard.
          {...(agents.length > 0 && { tabIndex: 0 })}
          data-testid="agents"
        >
          {agents.map((agent) => (
            <Agent key={agent.session} agent={agent} />
          ))}
        </ul>
        {status === "closed" && (
          <EmptyState icon={Bot}>
            <p>An agent is listed here when it connects.</p>
          </EmptyState>
        )}
        <Transcript label="Agent transcript" limit={200} tabIndex={0} />
      </section>
    </CommandScope.Provider>
  );
}

function Agent({ agent }: { readonly agent: AgentSessionFacts }) {
  const { title, version, session, sessionTitle, pid, mode } = agent;
  return (
    <li class="agent-item">
      <p>
        <b>
          <ForeignText text={title} />
        </b>{" "}
        <ForeignText text={version} />
      </p>
      <dl class="facts">
        {sessionTitle !== undefined && (
          <>
            <dt>Title</dt>
            <dd>
              <ForeignText text={sessionTitle} />
            </dd>
          </>
        )}
        <dt>State</dt>
        <dd class={agent.diffs.length > 0 ? "waits" : undefined}>{stateOf(agent)}</dd>
        <dt>Mode</dt>
        <dd class={mode === "writes" || mode === "no-diffs" ? "waits" : undefined}>
          {modes[mode]}
        </dd>
        <dt>Session</dt>
        <dd>
          {session}
          {pid !== undefined && `, process ${pid}`}
        </dd>
      </dl>
    </li>
  );
}

function stateOf({ state, diffs }: AgentSessionFacts): string {
  if (diffs.length > 0) return `waits for you: ${countOf(diffs.length, "diff")}`;
  return state === "ready" ? "connected" : "connecting";
}
