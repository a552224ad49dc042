import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { LinkButton } from "./link-button.tsx";
import { folderOf } from "./page-folder.ts";

/** The folder, a link for a second tab, and the doctor. */
export function LiveBar() {
  const { model, view } = usePage();
  const live = folderOf(model);
  if (live === undefined) return null;
  return (
    <>
      <span class="live-folder" title={foreignText(live.folder.value)}>
        <ForeignText text={live.folder.value} />
      </span>
      <LinkButton to={live} />
      <Button onClick={set(view.dialog, "doctor")} data-testid="doctor">
        Doctor
      </Button>
    </>
  );
}
