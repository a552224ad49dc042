import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import type { OfferedEntry } from "./connections.ts";
import { EntryList } from "./entry-list.tsx";
import type { PageRequest } from "./inspector.ts";
import type { ServerViewProps } from "./server-view.tsx";

/** What may be requested about a task (MCP 2025-11-25, Utilities / Tasks). */
const ACTIONS = [
  ["State", "tasks/get"],
  ["Result", "tasks/result"],
  ["Cancel the task", "tasks/cancel"],
] as const;

/** The tasks of a server; the chosen one can be followed and cancelled. */
export function TaskList({ inspector, server }: ServerViewProps) {
  void usePage().model.version.value;
  const [chosen, setChosen] = useState<string | undefined>();
  const [pageRequest, setPageRequest] = useState<PageRequest | undefined>();
  const { tasks } = inspector.connections.listsOf(server.ch);
  const task = tasks?.find(({ taskId }) => taskId === chosen);
  return (
    <EntryList
      what="tasks"
      entries={tasks?.map(toEntry)}
      chosen={chosen}
      onchoose={(id) => {
        setChosen(id);
        setPageRequest(undefined);
      }}
      onrefresh={() => void inspector.ask("tasks/list", {}, server.name)}
    >
      {task !== undefined && (
        <>
          <div class="ask-line">
            {ACTIONS.map(([title, method]) => (
              <Button
                key={method}
                title={title}
                needsConnection
                data-testid={method}
                run={() =>
                  setPageRequest(inspector.ask(method, { taskId: task["taskId"] }, server.name))
                }
              />
            ))}
          </div>
          {pageRequest !== undefined && <AskAnswer pageRequest={pageRequest} />}
        </>
      )}
    </EntryList>
  );
}

function toEntry({ taskId, status, statusMessage }: OfferedEntry) {
  const about = typeof statusMessage === "string" ? statusMessage : "";
  return { key: String(taskId), name: String(taskId), about, marks: [String(status)] };
}
