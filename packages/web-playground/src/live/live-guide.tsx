import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import type { PageFolder } from "./page-folder.ts";
import { Refused } from "./refused.tsx";

/** For a page that was never admitted and has not received its command. */
export const FIRST_COMMAND = "idewire serve --web";

/** What to do next while the page is the editor of a folder. */
export function LiveGuide({ live }: { readonly live: PageFolder }) {
  const { model, view } = usePage();
  const { connected, reviews } = model.state.value;
  const status = live.link.status.value;
  const { folder = "", lockFile } = live.start.value ?? {};
  if (status === "connecting") return <>Opening the folder…</>;
  if (status === "lost") return <Lost words={live.link.words.value} command={live.again.value} />;
  if (status === "refused") {
    return (
      <Refused
        words={live.link.words.value}
        way="type page and press Enter"
        runs="idewire serve"
        command={live.again.value || FIRST_COMMAND}
      />
    );
  }
  if (reviews.length > 0) {
    return <>The agent waits for your answer. Review the diff and accept it, whole or in part.</>;
  }
  if (connected) {
    return (
      <>An agent is connected. It knows what you select; “Mention” adds a file to its prompt.</>
    );
  }
  return (
    <>
      No agent is connected: start one in{" "}
      {lockFile === undefined ? "this folder" : <ForeignText text={folder} />}.{" "}
      <Button title="Agent not connecting?" kind="link" run={set(view.dialog, "doctor")} />
    </>
  );
}

/** The command starts idewire again on the same port, in case it has exited. */
function Lost({ words, command }: { readonly words: string; readonly command: string }) {
  if (command === "") return <>{words}</>;
  return (
    <>
      {words}
      <ShellCommand command={command} />
    </>
  );
}
