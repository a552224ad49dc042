import { shellQuote } from "@idewire/core";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { folderOf } from "./page-folder.ts";
import { Refused } from "./refused.tsx";

/** What to do next while the page is the editor of a folder. */
export function LiveGuide() {
  const { model, view } = usePage();
  const live = folderOf(model);
  if (live === undefined) return null;
  const { connected, reviews } = model.state.value;
  const status = live.link.status.value;
  if (status === "connecting") return <>Opening the folder…</>;
  if (status === "lost") return <Lost words={live.link.words.value} folder={live.folder.value} />;
  if (status === "refused") {
    return (
      <Refused
        words={live.link.words.value}
        way="type page and press Enter"
        runs="idewire serve"
        command={serveCommand(live.folder.value)}
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
      This page is the editor of{" "}
      <b>
        <ForeignText text={live.folder.value} />
      </b>
      . Start an agent in that folder: <code>claude --ide</code>. It asks for reviews only in its
      default permission mode; Shift+Tab in the agent changes the mode.{" "}
      <Button class="link" onClick={set(view.dialog, "doctor")}>
        Agent not connecting?
      </Button>
    </>
  );
}

/** The command starts idewire again where the page tries to reconnect, in case it has ended. */
function Lost({ words, folder }: { readonly words: string; readonly folder: string }) {
  if (folder === "") return <>{words}</>;
  return (
    <>
      {words}
      <ShellCommand command={serveCommand(folder)} />
    </>
  );
}

/** Serves the folder at the port of this page. */
function serveCommand(folder: string): string {
  if (folder === "") return "idewire serve --web";
  return `idewire serve ${shellQuote(folder)} --web --web-port ${location.port}`;
}
