import { askingModeWords, shellQuote } from "@idewire/core/internal";
import type { AgentStart } from "@idewire/devtools/internal";
import { useEffect } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { statusOf, summarise } from "./doctor.ts";
import type { PageFolder } from "./page-folder.ts";

/** Shown without an open file: how to start an agent, and whether it would find the editor. */
export function StartCard({ live }: { readonly live: PageFolder }) {
  const { model } = usePage();
  const status = live.link.status.value;
  if (status === "connecting") return <p class="empty">Opening the folder…</p>;
  if (model.state.value.connected) {
    return (
      <p class="empty">
        Choose a file to read or edit it here. What an agent wants to change is shown here too, for
        you to accept or reject.
      </p>
    );
  }
  return (
    <CommandScope.Provider value="Start an agent">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="start-card" aria-label="Start an agent" tabIndex={0} data-testid="start">
        <Commands start={live.start.value} />
        <h3>What will happen</h3>
        <ol>
          <li>The agent finds this editor by itself and appears under Agents.</li>
          <li>
            It sees which file is open here and what you select; “Mention” adds a file to its
            prompt.
          </li>
          <li>
            Before it changes a file, it shows you the diff here. Claude Code does so only in{" "}
            {askingModeWords}: Shift+Tab in the agent changes the mode.
          </li>
        </ol>
        {live.start.value?.lockFile !== undefined ? (
          <p class="verdict-line">
            Agent not connecting? There, run <ShellCommand command="idewire doctor" />
          </p>
        ) : (
          status === "connected" && <Verdict live={live} />
        )}
      </section>
    </CommandScope.Provider>
  );
}

/** The command of each agent, as typed on its machine. */
function Commands({ start }: { readonly start: AgentStart | undefined }) {
  if (start === undefined) return null;
  const { folder, agents, lockFile } = start;
  return (
    <>
      {lockFile === undefined ? (
        <h2>Start an agent in a terminal</h2>
      ) : (
        <>
          <h2>Start an agent where this folder is {shown(folder)}</h2>
          <p>
            It finds this editor by the lock file {shown(lockFile)}, which must be in{" "}
            <code>~/.claude/ide</code> there.
          </p>
        </>
      )}
      <dl>
        {agents.map(({ name, command, hint }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <ShellCommand command={`cd ${shellQuote(folder)} && ${command}`} />
              {hint !== undefined && <> Then {hint} in it.</>}
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

function shown(path: string) {
  return (
    <code>
      <ForeignText text={path} />
    </code>
  );
}

/** Whether an agent would find the editor, in one line. */
function Verdict({ live: { doctor } }: { readonly live: PageFolder }) {
  const { view } = usePage();
  useEffect(() => void doctor.run(), [doctor]);
  const status = statusOf(doctor);
  return (
    <p class="verdict-line">
      {status !== "running" && <i class={`verdict ${status}`}>{status}</i>}
      <span role="status" data-testid="verdict" data-status={status}>
        Connection doctor: {summarise(doctor)}
      </span>
      <Button title="Details" run={set(view.dialog, "doctor")} />
    </p>
  );
}
