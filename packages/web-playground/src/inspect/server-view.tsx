import { showHiddenInLine } from "@idewire/core/internal";
import type { InspectedServerFacts } from "@idewire/devtools/internal";
import type { FunctionComponent } from "preact";
import { usePage } from "../state/page-context.ts";
import { Button, Select, set } from "../ui/controls.tsx";
import { Fact } from "../ui/fact.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { LongText } from "../ui/long-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { TabStrip } from "../ui/tab-strip.tsx";
import type { Inspector, ServerTab } from "./inspector.ts";
import { ModelView } from "./model-view.tsx";
import { PromptList } from "./prompt-list.tsx";
import { QuestionList } from "./question-list.tsx";
import { ResourceList } from "./resource-list.tsx";
import { RootsForm } from "./roots-form.tsx";
import { ServerLog } from "./server-log.tsx";
import { TaskList } from "./task-list.tsx";
import { ToolList } from "./tool-list.tsx";

const views: Readonly<Record<ServerTab, FunctionComponent<ServerViewProps>>> = {
  tools: ToolList,
  model: ModelView,
  prompts: PromptList,
  resources: ResourceList,
  tasks: TaskList,
  log: ServerLog,
  roots: RootsForm,
};

/** The props of a view of a server. */
export interface ServerViewProps {
  readonly inspector: Inspector;
  readonly server: InspectedServerFacts;
}

/** An MCP server: what it offers, what it asks, and what is sent to it. */
export function ServerView({ inspector }: { readonly inspector: Inspector }) {
  void usePage().model.version.value;
  const { server, servers } = inspector;
  if (server === undefined) return null;
  const open = inspector.tab.value;
  const View = views[open];
  // Only the revision 2025-11-25 lists tasks.
  const hasTasks = server.info?.capabilities["tasks"] !== undefined;
  const { tools, prompts, resources, resourceTemplates, tasks } = inspector.connections.listsOf(
    server.ch,
  );
  const counted = (name: string, ...lists: readonly (readonly unknown[] | undefined)[]): string => {
    const known = lists.filter((list) => list !== undefined);
    return known.length === 0 ? name : `${name} ${known.flat().length}`;
  };
  return (
    <section class="server" data-testid="server" data-status={server.state}>
      {servers.length > 1 && (
        <Select
          label="MCP server"
          value={server.name}
          testid="server-name"
          options={servers.map(({ name, state, questions }) => {
            const asks = questions.length > 0 ? ", asks you" : "";
            return [name, `${showHiddenInLine(name)} (${state}${asks})`] as const;
          })}
          onselect={(name) => {
            inspector.shown.value = name;
          }}
        />
      )}
      <ServerHead inspector={inspector} server={server} />
      <QuestionList inspector={inspector} server={server} />
      <TabStrip
        label="MCP server"
        panel="server-view"
        tabs={[
          ["tools", counted("Tools", tools)],
          ["model", "Model"],
          ["prompts", counted("Prompts", prompts)],
          ["resources", counted("Resources", resources, resourceTemplates)],
          ...(hasTasks ? ([["tasks", counted("Tasks", tasks)]] as const) : []),
          ["log", "Log"],
          ["roots", "Roots"],
        ]}
        open={open}
        onopen={(name) => set(inspector.tab, name)()}
      />
      <div id="server-view" role="tabpanel" aria-labelledby={`tab-${open}`}>
        <View key={server.name} inspector={inspector} server={server} />
      </div>
    </section>
  );
}

function ServerHead({ inspector, server }: ServerViewProps) {
  const { info, state, problem, login, shell, name } = server;
  return (
    <>
      <div class="connection-line">
        <b>
          <ForeignText text={info?.name ?? name} />
        </b>
        <span class={`connection-state ${state}`}>{state}</span>
        <span class="spring" />
        <Button
          title={state === "open" ? "Reconnect" : "Connect"}
          when={() => state !== "connecting"}
          needsConnection
          data-testid="connect"
          run={() => void inspector.connect(name)}
        />
      </div>
      {info !== undefined && (
        <p class="hint">
          <ForeignText text={`${info.version} · MCP ${info.protocol} · ${info.era} era`} />
        </p>
      )}
      {login !== undefined && /^https?:/.test(login) && (
        <p class="banner" role="status" data-testid="login">
          This server requires a login.{" "}
          <a href={login} target="_blank" rel="noopener noreferrer">
            Log in at <ForeignText text={new URL(login).host} />
          </a>
        </p>
      )}
      {problem !== undefined && (
        <p class="issue" role="alert" data-testid="server-problem">
          <ForeignText text={problem} />
        </p>
      )}
      <details>
        <summary>Details</summary>
        <dl class="facts">
          <Fact name="in a terminal">
            <ShellCommand command={`idewire mcp tools ${shell}`} />
          </Fact>
          {info !== undefined && (
            <Fact name="capabilities">
              <ForeignText text={JSON.stringify(info.capabilities)} />
            </Fact>
          )}
          {info?.instructions !== undefined && (
            <Fact name="instructions">
              <LongText text={info.instructions} />
            </Fact>
          )}
        </dl>
      </details>
    </>
  );
}
