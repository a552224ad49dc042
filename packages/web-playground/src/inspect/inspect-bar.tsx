import { showHiddenInLine } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { LinkButton } from "../live/link-button.tsx";
import { usePage } from "../state/page-context.ts";
import { type InspectFacts, inspectorOf } from "./inspector.ts";

/** The inspected editor, and a link for a second tab. */
export function InspectBar() {
  const inspector = inspectorOf(usePage().model);
  const facts = inspector?.facts.value;
  if (inspector === undefined) return null;
  const about = facts === undefined ? "inspect" : describe(facts);
  return (
    <>
      <span class="live-folder" title={about}>
        {about}
      </span>
      <span class="spring" />
      <LinkButton to={inspector} />
    </>
  );
}

function describe(facts: InspectFacts): string {
  if (facts.mode === "server") {
    const [first, ...rest] = facts.servers;
    return `client of ${rest.length === 0 ? showHiddenInLine(first?.name ?? "") : countOf(facts.servers.length, "MCP server")}`;
  }
  const way = facts.mode === "agent" ? "as an agent of" : "in front of";
  return `${way} ${showHiddenInLine(facts.editor.name)}`;
}
