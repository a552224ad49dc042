import { countOf } from "@idewire/core/internal/base";
import { describeClosing, type InspectedServerFacts } from "@idewire/devtools/internal";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { Fact } from "../ui/fact.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { Transcript } from "../ui/transcript.tsx";
import { AskForm } from "./ask-form.tsx";
import type { ConnectionFacts } from "./connections.ts";
import { agentCommand } from "./inspect-guide.tsx";
import { type EditorFacts, inspectorOf } from "./inspector.ts";
import { ServerView } from "./server-view.tsx";

/** Both peers, and their connections. */
export function InspectPane() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  void model.version.value;
  if (inspector === undefined) return null;
  const facts = inspector.facts.value;
  const { editor } = inspector;
  const { link } = inspector;
  const status = link.status.value;
  const way = link.createLink === undefined ? "running in this page" : "connected to idewire";
  return (
    <CommandScope.Provider value="Peers">
      <section class="pane inspect-pane" aria-label="Peers" data-pane="editor">
        <header class="bar">
          <h2>Peers</h2>
          <span class="status" data-testid="inspect" data-status={status} role="status">
            {status === "connected" ? way : status}
          </span>
        </header>
        {(status === "lost" || status === "refused") && (
          <p class="banner bad">
            <ForeignText text={inspector.link.words.value} />
          </p>
        )}
        {inspector.problem.value !== undefined && (
          <p class="banner bad" role="alert">
            <ForeignText text={inspector.problem.value} />
          </p>
        )}
        <CommandScope.Provider value="Facts of both peers">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <section class="inspect-body" tabIndex={0} aria-label="Facts of both peers">
            {facts?.mode === "server" && <ServerView inspector={inspector} />}
            {editor !== undefined && <Editor facts={editor} />}
            {facts?.mode === "agent" && <AskForm />}
            {editor?.proxy !== undefined && <Connecting facts={editor} />}
            <ConnectionList all={inspector.connections.all} servers={inspector.servers} />
            <Transcripts />
          </section>
        </CommandScope.Provider>
      </section>
    </CommandScope.Provider>
  );
}

function Editor({ facts: { editor } }: { readonly facts: EditorFacts }) {
  return (
    <section>
      <h3>Editor</h3>
      <dl class="facts">
        <Fact name="name">
          <ForeignText text={editor.name} />
        </Fact>
        <Fact name="port">{editor.port}</Fact>
        {editor.pid !== undefined && <Fact name="process">{editor.pid}</Fact>}
        <Fact name="lock file">
          <ForeignText text={editor.lockFile} />
        </Fact>
        <Fact name="folders">
          {editor.folders.map((folder) => (
            <div key={folder}>
              <ForeignText text={folder} />
            </div>
          ))}
        </Fact>
      </dl>
    </section>
  );
}

function Connecting({ facts: { proxy, folder } }: { readonly facts: EditorFacts }) {
  const isInHome = /[\\/]\.claude[\\/]ide[\\/]/.test(proxy?.lockFile ?? "");
  return (
    <section>
      <h3>Connect an agent</h3>
      <p>
        In <ForeignText text={folder} />:
      </p>
      <ShellCommand command={agentCommand(proxy?.port)} />
      {/* opencode reads lock files in the home directory only. */}
      {isInHome && <ShellCommand command="opencode" />}
      <p class="hint">
        {isInHome && "opencode takes the newest lock file, which is this one. "}Without the
        variable, Claude Code finds two editors for the folder and connects to neither.
      </p>
      <p class="hint">
        Nothing can be sent from here: an unsolicited reply could make an agent write a file. To
        send requests yourself, run <code>idewire inspect --as-agent</code>.
      </p>
    </section>
  );
}

interface ConnectionListProps {
  readonly all: readonly ConnectionFacts[];
  /** The inspected MCP servers. */
  readonly servers: readonly InspectedServerFacts[];
}

// The connections are not a signal: only the readers of a changed one are rendered again.
function ConnectionList({ all, servers }: ConnectionListProps) {
  return (
    <section>
      <h3>Connections</h3>
      {all.length === 0 ? (
        <p class="hint">No connections yet</p>
      ) : (
        <ul class="connections">
          {all
            .slice(-50)
            .reverse()
            .map((facts) => (
              <Connection
                key={facts.ch}
                facts={facts}
                server={servers.find(({ ch }) => ch === facts.ch)?.name}
              />
            ))}
        </ul>
      )}
    </section>
  );
}

interface ConnectionProps {
  readonly facts: ConnectionFacts;
  /** The MCP server that the page is the client of. */
  readonly server: string | undefined;
}

function Connection({ facts, server }: ConnectionProps) {
  const { view } = usePage();
  const { ch, state, agent, frames, pings, request, answer, protocol, closed } = facts;
  const filter = `ch:${ch}`;
  const isShown = view.filter.value === filter;
  return (
    <li data-testid={`connection-${ch}`} data-state={state}>
      <div class="connection-line">
        <b class="num">{ch}</b>
        <span class={`connection-state ${state}`}>{state}</span>
        <span class="spring">
          <ForeignText text={server ?? agent ?? "unnamed"} />
        </span>
        <Button
          title={isShown ? "Show all" : `Only ${ch}`}
          aria-pressed={isShown}
          run={set(view.filter, isShown ? "" : filter)}
        />
      </div>
      <p class="hint">
        {countOf(frames, "frame")}
        {pings > 0 && `, ${countOf(pings, "ping")}`}
        {protocol !== undefined && `, sub-protocol ${protocol}`}
      </p>
      {closed !== undefined && (
        <p class="hint">
          <ForeignText text={describeClosing(closed)} />
        </p>
      )}
      {(request ?? answer) !== undefined && (
        <details>
          <summary>The upgrade request and response, without the token</summary>
          <pre class="upgrade">
            <ForeignText text={[request, answer].filter(Boolean).join("\n\n")} />
          </pre>
        </details>
      )}
    </li>
  );
}

function Transcripts() {
  const { length } = usePage().model.state.value.transcript;
  return (
    <section>
      <h3>What happened</h3>
      {length === 0 ? (
        <p class="hint">Nothing yet</p>
      ) : (
        <Transcript limit={100} label="What happened" tabIndex={0} />
      )}
    </section>
  );
}
