import { isObject } from "@idewire/core/internal";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { set } from "../ui/controls.tsx";
import { AppView } from "./app-view.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import type { OfferedTool } from "./connections.ts";
import { EntryList, firstLine } from "./entry-list.tsx";
import type { SavedCall } from "./saved-calls.ts";
import { SavedCallList } from "./saved-calls-list.tsx";
import type { ServerViewProps } from "./server-view.tsx";
import { ToolForm } from "./tool-form.tsx";
import { viewUriOf } from "./view-host.ts";

/** The tools of a server; the chosen one can be called. */
export function ToolList({ inspector, server }: ServerViewProps) {
  void usePage().model.version.value;
  const [chosen, setChosen] = useState<string | undefined>();
  const [edited, setEdited] = useState<SavedCall | undefined>();
  const [edits, setEdits] = useState(0);
  const { tools } = inspector.connections.listsOf(server.ch);
  const tool = tools?.find(({ name }) => name === chosen);
  const itemOf = (item: string) => ({ server: server.name, method: "tools/call", item }) as const;
  const pageRequest = tool && inspector.newestAbout(itemOf(tool.name));
  const call = (name: string, args: unknown): void =>
    inspector.askAbout(itemOf(name), { name, arguments: args });
  const choose = (name: string | undefined, saved?: SavedCall): void => {
    setChosen(name);
    setEdited(saved);
    setEdits(edits + 1);
  };
  const wanted = inspector.edited.value;
  useEffect(() => {
    if (wanted?.server !== server.name) return;
    const { tool: of, arguments: args } = wanted;
    choose(of, { name: "", tool: of, arguments: args, pinned: false });
    set(inspector.edited, undefined)();
  }, [wanted]);
  return (
    <>
      <SavedCallList
        tools={new Set(tools?.map(({ name }) => name))}
        onrun={(saved) => {
          choose(saved.tool);
          call(saved.tool, saved.arguments);
        }}
        onedit={(saved) => choose(saved.tool, saved)}
      />
      <EntryList
        what="tools"
        entries={tools?.map(toEntry)}
        chosen={chosen}
        onchoose={choose}
        onrefresh={() => void inspector.ask("tools/list", {}, server.name)}
      >
        {tool !== undefined && (
          <>
            <ToolForm
              key={`${tool.name} ${edits}`}
              tool={tool}
              {...(edited && { start: edited })}
              oncall={(args) => call(tool.name, args)}
            />
            {pageRequest !== undefined && (
              <>
                <AppView inspector={inspector} tool={tool} pageRequest={pageRequest} />
                <AskAnswer pageRequest={pageRequest} output={tool["outputSchema"]} />
              </>
            )}
          </>
        )}
      </EntryList>
    </>
  );
}

function toEntry(tool: OfferedTool) {
  const { name, title, description } = tool;
  const about = [title, firstLine(description)].filter((text) => typeof text === "string" && text);
  return { key: name, name, about: about.join(": "), marks: marksOf(tool) };
}

/** The hints of MCP 2025-11-25, `ToolAnnotations`, which a server may set as it likes. */
function marksOf(tool: OfferedTool): readonly string[] {
  const { annotations, outputSchema } = tool;
  const hints = isObject(annotations) ? annotations : {};
  const marks: readonly (readonly [boolean, string])[] = [
    [hints["readOnlyHint"] === true, "read-only"],
    [hints["destructiveHint"] === true, "destructive"],
    [hints["idempotentHint"] === true, "idempotent"],
    [hints["openWorldHint"] === true, "open world"],
    [outputSchema !== undefined, "structured"],
    [viewUriOf(tool) !== undefined, "view"],
  ];
  return marks.filter(([isSet]) => isSet).map(([, words]) => words);
}
