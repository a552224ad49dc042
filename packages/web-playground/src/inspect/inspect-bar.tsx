import { showHiddenInLine } from "@idewire/core/internal";
import { LinkButton } from "../live/link-button.tsx";
import { usePage } from "../state/page-context.ts";
import { inspectorOf } from "./inspector.ts";

/** The inspected editor, and a link for a second tab. */
export function InspectBar() {
  const inspector = inspectorOf(usePage().model);
  const facts = inspector?.facts.value;
  if (inspector === undefined) return null;
  return (
    <>
      <span class="live-folder">
        {facts === undefined
          ? "inspect"
          : `${facts.mode === "agent" ? "as an agent of" : "in front of"} ${showHiddenInLine(facts.editor.name)}`}
      </span>
      <span class="spring" />
      <LinkButton to={inspector} />
    </>
  );
}
