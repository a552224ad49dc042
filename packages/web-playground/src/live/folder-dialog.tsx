import { usePage } from "../state/page-context.ts";
import { DoctorDialog } from "./doctor-dialog.tsx";
import { QuickOpen } from "./quick-open.tsx";

/** The open dialog of a folder. */
export function FolderDialog() {
  return usePage().view.dialog.value === "files" ? <QuickOpen /> : <DoctorDialog />;
}
