import { ChangesList } from "../live/changes-list.tsx";
import { usePage } from "../state/page-context.ts";
import { loggedChangesOf } from "./logged-changes.ts";

/** The list of changes of a page without a server. */
export function SimulatedChanges() {
  return <ChangesList changes={loggedChangesOf(usePage().model)} />;
}
