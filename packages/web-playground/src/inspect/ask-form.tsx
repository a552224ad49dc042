import { showHiddenInLine } from "@idewire/core/internal";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, Select } from "../ui/controls.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import { inspectorOf, type PageRequest } from "./inspector.ts";
import type { SavedCall } from "./saved-calls.ts";
import { SavedCallList } from "./saved-calls-list.tsx";
import { ToolForm } from "./tool-form.tsx";

/** Sends requests to the editor: lists its tools, or calls one. */
export function AskForm() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  const [name, setName] = useState("");
  const [pageRequest, setPageRequest] = useState<PageRequest | undefined>();
  const [edited, setEdited] = useState<SavedCall | undefined>();
  void model.version.value;
  if (inspector === undefined) return null;
  const { tools = [] } = inspector.connections;
  const tool = tools.find((one) => one.name === name) ?? tools[0];
  const send = (method: string, params?: Readonly<Record<string, unknown>>): void =>
    setPageRequest(inspector.ask(method, params));
  const choose = (chosen: string, call?: SavedCall): void => {
    setName(chosen);
    setEdited(call);
  };
  return (
    <section class="ask" data-testid="ask-editor">
      <h3>Send a request</h3>
      <SavedCallList
        tools={new Set(tools.map((one) => one.name))}
        onrun={(call) => send("tools/call", { name: call.tool, arguments: call.arguments })}
        onedit={(call) => choose(call.tool, call)}
      />
      <div class="ask-line">
        <Button title="tools/list" needsConnection run={() => send("tools/list")} />
        <Button title="ping" needsConnection run={() => send("ping")} />
        <Select
          class="ask-tool"
          label="Tool"
          value={tool?.name ?? ""}
          testid="tool"
          disabled={tools.length === 0}
          options={tools.map((one) => [one.name, showHiddenInLine(one.name)] as const)}
          onselect={choose}
        />
      </div>
      {tool === undefined ? (
        <p class="hint">The editor has listed no tools yet.</p>
      ) : (
        <ToolForm
          key={`${tool.name} ${edited?.name}`}
          tool={tool}
          {...(edited && { start: edited })}
          oncall={(args) => send("tools/call", { name: tool.name, arguments: args })}
        />
      )}
      {pageRequest !== undefined && <AskAnswer pageRequest={pageRequest} />}
    </section>
  );
}
