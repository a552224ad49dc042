import type { FrameFacts } from "@idewire/devtools/internal";
import type { Command } from "../commands/registry.ts";
import type { PageContext } from "../state/page-context.ts";
import { copyText } from "../ui/copy.ts";
import { Copy, Pencil, RotateCcw } from "../ui/icons.ts";
import { findAnswer } from "./answers.ts";
import { type Inspector, inspectorOf } from "./inspector.ts";
import { asCommand, asCurl, asTest, callOf, type RowCall } from "./row-call.ts";

/** A command for the call of a row; `text` is the text that it copies. */
export type CallCommand = Command & { readonly text?: string };

/** The commands of a row: only calls to an MCP server, and answers to them, have commands. */
export function callCommands(page: PageContext, facts: FrameFacts): readonly CallCommand[] {
  const { model } = page;
  const inspector = inspectorOf(model);
  const call = inspector && callOf(model, inspector, facts);
  if (inspector === undefined || call === undefined) return [];
  const sends = { when: () => call.server.state === "open", needsConnection: true };
  const copy = (id: string, title: string, text: string | undefined): readonly CallCommand[] =>
    text === undefined ? [] : [{ id, title, icon: Copy, text, run: () => void copyText(text) }];
  return [
    {
      ...{ id: "repeat", title: "Repeat", icon: RotateCcw, ...sends },
      run: () => repeat(page, inspector, call),
    },
    {
      ...{ id: "edit-repeat", title: "Edit and repeat", icon: Pencil, ...sends },
      run: () => edit(page, inspector, call),
    },
    ...copy("copy-as-command", "Copy as idewire mcp", asCommand(inspector, call)),
    ...copy("copy-as-curl", "Copy as curl", asCurl(model, call)),
    ...copy("copy-as-test", "Copy call as test", asTest(model, call)),
  ];
}

/** Sends a call again, and shows it as soon as it is in the log. */
function repeat(
  { model, view }: PageContext,
  inspector: Inspector,
  { server, method, params }: RowCall,
): void {
  const pageRequest = inspector.ask(method, params, server.name);
  const stop = model.version.subscribe(() => {
    const { request } = findAnswer(model, pageRequest);
    if (request === undefined && pageRequest.failure.peek() === undefined) return;
    if (request !== undefined) view.show(request.n);
    queueMicrotask(() => stop());
  });
}

function edit({ view }: PageContext, inspector: Inspector, call: RowCall): void {
  const { server, method, params, request } = call;
  const { name, arguments: args } = params;
  if (method !== "tools/call" || typeof name !== "string") {
    view.frameTab.value = "raw";
    view.show(request.n);
    return;
  }
  inspector.edit({ server: server.name, tool: name, arguments: args ?? {} });
  view.pane.value = "editor";
}
