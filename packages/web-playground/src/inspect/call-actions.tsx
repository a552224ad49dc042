import type { FrameFacts } from "@idewire/devtools/internal";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { findAnswer } from "./answers.ts";
import { type Inspector, inspectorOf } from "./inspector.ts";
import { asCommand, asCurl, asTest, callOf, type RowCall } from "./row-call.ts";

/** Repeats the call of a row, or copies it in another form. */
export function CallActions({ facts }: { readonly facts: FrameFacts }) {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  const call = inspector && callOf(model, inspector, facts);
  if (inspector === undefined || call === undefined) return null;
  const command = asCommand(inspector, call);
  const curl = asCurl(model, call);
  const test = asTest(model, call);
  return (
    <div class="bar actions" data-testid="call-actions">
      <Repeat inspector={inspector} call={call} />
      {command !== undefined && (
        <Copy title="Copy as idewire mcp" text={command} testid="copy-as-command" />
      )}
      {curl !== undefined && <Copy title="Copy as curl" text={curl} testid="copy-as-curl" />}
      {test !== undefined && <Copy title="Copy call as test" text={test} testid="copy-as-test" />}
    </div>
  );
}

interface RepeatProps {
  readonly inspector: Inspector;
  readonly call: RowCall;
}

function Repeat({ inspector, call }: RepeatProps) {
  const { model, view } = usePage();
  const { server, method, params } = call;
  const isOpen = () => server.state === "open" && model.isReachable;
  const repeat = (): void => {
    const asked = inspector.ask(method, params, server.name);
    const stop = model.version.subscribe(() => {
      const { request } = findAnswer(model, asked);
      if (request === undefined && asked.failure.peek() === undefined) return;
      if (request !== undefined) view.show(request.n);
      queueMicrotask(() => stop());
    });
  };
  const edit = (): void => {
    const { name, arguments: args } = params;
    if (method !== "tools/call" || typeof name !== "string") {
      set(view.frameTab, "raw")();
      view.show(call.request.n);
      return;
    }
    inspector.edit({ server: server.name, tool: name, arguments: args ?? {} });
    view.pane.value = "editor";
  };
  return (
    <>
      <Button title="Repeat" when={isOpen} run={repeat} data-testid="repeat" />
      <Button title="Edit and repeat" when={isOpen} run={edit} data-testid="edit-repeat" />
    </>
  );
}

interface CopyProps {
  readonly title: string;
  readonly text: string;
  readonly testid: string;
}

function Copy({ title, text, testid }: CopyProps) {
  return (
    <Button
      title={title}
      tooltip={text.slice(0, 500)}
      data-text={text}
      data-testid={testid}
      run={() => copyText(text)}
    />
  );
}
