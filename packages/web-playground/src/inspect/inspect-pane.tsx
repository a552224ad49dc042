import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { AskForm } from "./ask-form.tsx";
import type { ConnectionFacts } from "./connections.ts";
import { agentCommand } from "./inspect-guide.tsx";
import { type InspectFacts, type Inspector, inspectorOf } from "./inspector.ts";

/** Both ends, and what becomes of their connections. */
export function InspectPane() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  model.version.value;
  if (inspector === undefined) return null;
  const facts = inspector.facts.value;
  const status = inspector.link.status.value;
  return (
    <section class="pane inspect-pane" aria-label="Ends" data-pane="editor">
      <header class="bar">
        <h2>Ends</h2>
        <span class="status" data-testid="inspect" data-status={status} role="status">
          {status === "connected" ? "connected to idewire" : status}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="inspect-body" tabIndex={0} aria-label="What is known of both ends">
        {facts !== undefined && <Editor facts={facts} />}
        {facts?.mode === "agent" && <AskForm />}
        {facts?.proxy !== undefined && <WayHere facts={facts} />}
        <ConnectionList inspector={inspector} />
        <Happenings />
      </section>
    </section>
  );
}

function Editor({ facts: { editor } }: { readonly facts: InspectFacts }) {
  return (
    <section>
      <h3>Editor</h3>
      <dl class="facts">
        <dt>name</dt>
        <dd>
          <ForeignText text={editor.name} />
        </dd>
        <dt>port</dt>
        <dd>{editor.port}</dd>
        {editor.pid !== undefined && (
          <>
            <dt>process</dt>
            <dd>{editor.pid}</dd>
          </>
        )}
        <dt>lock file</dt>
        <dd>
          <ForeignText text={editor.lockFile} />
        </dd>
        <dt>folders</dt>
        <dd>
          {editor.folders.map((folder) => (
            <div key={folder}>
              <ForeignText text={folder} />
            </div>
          ))}
        </dd>
      </dl>
    </section>
  );
}

function WayHere({ facts: { proxy, folder } }: { readonly facts: InspectFacts }) {
  const isInHome = /[\\/]\.claude[\\/]ide[\\/]/.test(proxy?.lockFile ?? "");
  return (
    <section>
      <h3>How an agent comes here</h3>
      <p>
        In <ForeignText text={folder} />:
      </p>
      <ShellCommand command={agentCommand(proxy?.port)} />
      {/* It reads the lock files of the home alone. */}
      {isInHome && <ShellCommand command="opencode" />}
      <p class="hint">
        {isInHome && "opencode takes the newest lock file, which is this one. "}A Claude Code that
        is started without the variable finds two editors for the folder, and connects to neither by
        itself.
      </p>
      <p class="hint">
        Nothing can be sent from here: an answer that is nobody's could make an agent write a file.
        To talk to the editor yourself, start <code>idewire inspect --as-agent</code>.
      </p>
    </section>
  );
}

function ConnectionList({ inspector }: { readonly inspector: Inspector }) {
  const { all } = inspector.connections;
  return (
    <section>
      <h3>Connections</h3>
      {all.length === 0 ? (
        <p class="hint">Nobody has come yet.</p>
      ) : (
        <ul class="connections">
          {all
            .slice(-50)
            .reverse()
            .map((facts) => (
              <Connection key={facts.ch} facts={facts} />
            ))}
        </ul>
      )}
    </section>
  );
}

function Connection({ facts }: { readonly facts: ConnectionFacts }) {
  const { view } = usePage();
  const { ch, state, agent, frames, pings, request, answer, protocol, code, reason } = facts;
  const filter = `ch:${ch}`;
  const isShown = view.filter.value === filter;
  const how = state === "closed" ? `closed ${code}${reason ? `, ${reason}` : ""}` : state;
  return (
    <li data-testid={`connection-${ch}`} data-state={state}>
      <div class="connection-line">
        <b class="num">{ch}</b>
        <span class={`connection-state ${state}`}>{how}</span>
        <span class="spring">
          <ForeignText text={agent ?? "has not said its name"} />
        </span>
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => {
            view.filter.value = isShown ? "" : filter;
          }}
        >
          {isShown ? "Show all" : `Only ${ch}`}
        </button>
      </div>
      <p class="hint">
        {frames === 1 ? "1 frame" : `${frames} frames`}
        {pings > 0 && `, ${pings === 1 ? "1 ping" : `${pings} pings`}`}
        {protocol !== undefined && `, sub-protocol ${protocol}`}
      </p>
      {(request ?? answer) !== undefined && (
        <details>
          <summary>The upgrade, to the letter but for the token</summary>
          <pre class="upgrade">
            <ForeignText text={[request, answer].filter(Boolean).join("\n\n")} />
          </pre>
        </details>
      )}
    </li>
  );
}

function Happenings() {
  const { transcript } = usePage().model.state.value;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [transcript.length]);
  return (
    <section>
      <h3>What happened</h3>
      {transcript.length === 0 && <p class="hint">Nothing yet.</p>}
      <ol class="transcript" ref={list}>
        {transcript.slice(-100).map(({ n, text }) => (
          <li key={n}>
            <ForeignText text={text} />
          </li>
        ))}
      </ol>
    </section>
  );
}
