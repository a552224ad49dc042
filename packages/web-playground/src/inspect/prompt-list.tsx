import { isObject } from "@idewire/core/internal";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ArgumentForm, type NamedText } from "./argument-form.tsx";
import { AskAnswer } from "./ask-answer.tsx";
import type { OfferedEntry } from "./connections.ts";
import { EntryList, firstLine } from "./entry-list.tsx";
import type { ServerViewProps } from "./server-view.tsx";

/** The prompts of a server; the chosen one can be requested. */
export function PromptList({ inspector, server }: ServerViewProps) {
  void usePage().model.version.value;
  const [chosen, setChosen] = useState<string | undefined>();
  const { prompts } = inspector.connections.listsOf(server.ch);
  const prompt = prompts?.find(({ name }) => name === chosen);
  const item = { server: server.name, method: "prompts/get", item: chosen ?? "" } as const;
  const pageRequest = inspector.newestAbout(item);
  return (
    <EntryList
      what="prompts"
      entries={prompts?.map(toEntry)}
      chosen={chosen}
      onchoose={setChosen}
      onrefresh={() => void inspector.ask("prompts/list", {}, server.name)}
    >
      {prompt !== undefined && (
        <>
          <ArgumentForm
            inspector={inspector}
            server={server.name}
            reference={{ type: "ref/prompt", name: String(prompt["name"]) }}
            fields={argumentsOf(prompt)}
            action="Get the prompt"
            onsend={(args) => inspector.askAbout(item, { name: prompt["name"], arguments: args })}
          />
          {pageRequest !== undefined && <AskAnswer pageRequest={pageRequest} />}
        </>
      )}
    </EntryList>
  );
}

function toEntry({ name, title, description }: OfferedEntry) {
  const about = [title, firstLine(description)].filter((text) => typeof text === "string" && text);
  return { key: String(name), name: String(name), about: about.join(": "), marks: [] };
}

function argumentsOf({ arguments: args }: OfferedEntry): readonly NamedText[] {
  if (!Array.isArray(args)) return [];
  return args.filter(isObject).map(({ name, description, required }) => ({
    name: String(name),
    about: typeof description === "string" ? description : "",
    isRequired: required === true,
  }));
}
