import { shellQuote } from "@idewire/core";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { folderOf } from "./folder-editor.ts";
import { Refused } from "./refused.tsx";

/** What a person who uses the page as the editor of a folder does next. */
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
        way="type page and Enter"
        runs="idewire serve"
        command={serveCommand(live.folder.value)}
      />
    );
  }
  if (reviews.length > 0) {
    return <>The agent waits for you. Look at the change and accept it, all or in part.</>;
  }
  if (connected) {
    return <>An agent is here. It knows what you select; Mention puts a file into its prompt.</>;
  }
  return (
    <>
      This page is the editor of{" "}
      <b>
        <ForeignText text={live.folder.value} />
      </b>
      . Now start an agent in that folder: <code>claude --ide</code>. It asks here in its mode
      default alone: Shift+Tab there changes the mode.{" "}
      <button
        type="button"
        class="link"
        onClick={() => {
          view.dialog.value = "doctor";
        }}
      >
        It does not come?
      </button>
    </>
  );
}

/** It may only be slow to come back; when it has ended, this starts it where the page looks for it. */
function Lost({ words, folder }: { readonly words: string; readonly folder: string }) {
  if (folder === "") return <>{words}</>;
  return (
    <>
      {words}
      <ShellCommand command={serveCommand(folder)} />
    </>
  );
}

/** Serves the folder where this page looks for it. */
function serveCommand(folder: string): string {
  if (folder === "") return "idewire serve --web";
  return `idewire serve ${shellQuote(folder)} --web --web-port ${location.port}`;
}
