import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";

/** Opens a trace that is dropped anywhere on the page. */
export function DropTarget() {
  const { view } = usePage();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hasFile = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes("Files") === true;
    const onover = (event: DragEvent): void => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const ondrop = (event: DragEvent): void => {
      setIsOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      view.dropped.value = file;
      view.dialog.value = "share";
    };
    window.addEventListener("dragover", onover, { signal });
    window.addEventListener("drop", ondrop, { signal });
    window.addEventListener(
      "dragleave",
      ({ relatedTarget }) => relatedTarget === null && setIsOver(false),
      { signal },
    );
    return () => stop.abort();
  }, [view]);
  return isOver ? <p class="drop-target">Drop a trace to open it</p> : null;
}
