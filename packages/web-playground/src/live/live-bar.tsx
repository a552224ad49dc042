import { usePage } from "../state/page-context.ts";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { folderOf } from "./folder-editor.ts";
import { LinkButton } from "./link-button.tsx";

/** Which folder it is, and the ways to a second tab and to the doctor. */
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
      <button
        type="button"
        onClick={() => {
          view.dialog.value = "doctor";
        }}
        data-testid="doctor"
      >
        Doctor
      </button>
    </>
  );
}
