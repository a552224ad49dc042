import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { ArgumentForm } from "./argument-form.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import type { OfferedEntry } from "./connections.ts";
import { EntryList, firstLine } from "./entry-list.tsx";
import type { ServerViewProps } from "./server-view.tsx";
import { expandTemplate, variablesOf } from "./uri-template.ts";

/** The resources of a server and their templates; the chosen one can be read. */
export function ResourceList({ inspector, server }: ServerViewProps) {
  void usePage().model.version.value;
  const [chosen, setChosen] = useState<string | undefined>();
  const { resources, resourceTemplates } = inspector.connections.listsOf(server.ch);
  const isKnown = resources !== undefined || resourceTemplates !== undefined;
  const entries = [
    ...(resourceTemplates ?? []).map((each) => toEntry(each, "uriTemplate")),
    ...(resources ?? []).map((each) => toEntry(each, "uri")),
  ];
  const item = { server: server.name, method: "resources/read", item: chosen ?? "" } as const;
  const pageRequest = inspector.newestAbout(item);
  const read = (uri: string): void => inspector.askAbout(item, { uri });
  const uri = pageRequest?.params?.["uri"];
  return (
    <EntryList
      what="resources"
      entries={isKnown ? entries : undefined}
      chosen={chosen}
      onchoose={setChosen}
      onrefresh={() => {
        inspector.ask("resources/list", {}, server.name);
        inspector.ask("resources/templates/list", {}, server.name);
      }}
    >
      {chosen !== undefined && resources?.some((each) => each["uri"] === chosen) && (
        <div class="ask-line">
          <Button
            title="Read"
            kind="primary"
            needsConnection
            data-testid="send"
            run={() => read(chosen)}
          />
          <Subscription inspector={inspector} server={server} uri={chosen} />
        </div>
      )}
      {chosen !== undefined &&
        resourceTemplates?.some((each) => each["uriTemplate"] === chosen) && (
          <ArgumentForm
            inspector={inspector}
            server={server.name}
            reference={{ type: "ref/resource", uri: chosen }}
            fields={variablesOf(chosen).map((variable) => ({ ...variable, about: "" }))}
            action="Read"
            onsend={(texts) => read(expandTemplate(chosen, texts))}
          >
            {typeof uri === "string" && (
              <Subscription inspector={inspector} server={server} uri={uri} />
            )}
          </ArgumentForm>
        )}
      {pageRequest !== undefined && <AskAnswer pageRequest={pageRequest} />}
    </EntryList>
  );
}

/** Whether the server reports changes of a resource, and the opposite as a button. */
function Subscription({ inspector, server, uri }: ServerViewProps & { readonly uri: string }) {
  const resources = server.info?.capabilities["resources"] as { readonly subscribe?: unknown };
  if (resources?.subscribe !== true) return null;
  const on = !server.subscriptions.includes(uri);
  return (
    <Button
      title={on ? "Subscribe" : "Unsubscribe"}
      needsConnection
      data-testid="subscribe"
      run={() => void inspector.change({ server: server.name, subscribe: { uri, on } })}
    />
  );
}

function toEntry(entry: OfferedEntry, member: "uri" | "uriTemplate") {
  const { name, title, description, mimeType } = entry;
  const uri = String(entry[member]);
  const about = [title ?? name, firstLine(description)].filter(
    (text) => typeof text === "string" && text,
  );
  const marks = [member === "uriTemplate" && "template", mimeType].filter(
    (mark) => typeof mark === "string",
  );
  return { key: uri, name: uri, about: about.join(": "), marks: marks as readonly string[] };
}
