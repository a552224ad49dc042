import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { MAX_FILE_BYTES, openFile } from "./open-trace.ts";

/**
 * Opens a trace file, one at a time: a further file ends the reading of the previous one, and so does the
 * removal of the dialog, which closes when the file is open. A file dropped on the page is opened too.
 */
export function useOpenTrace(report: (message: string) => void): (file: File) => Promise<void> {
  const { model, player, view } = usePage();
  const reading = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const dropped = view.dropped.value;
  useEffect(() => {
    if (dropped === undefined) return;
    view.dropped.value = undefined;
    void open(dropped);
  }, [dropped]);
  return open;

  async function open(file: File): Promise<void> {
    if (file.size > MAX_FILE_BYTES) {
      report(`${file.name} is ${toMegabytes(file.size)}; the limit is 1000 MB.`);
      return;
    }
    reading.current?.abort();
    const stop = new AbortController();
    reading.current = stop;
    report(`Reading ${file.name}…`);
    const onprogress = (units: number): void => {
      report(`Reading ${file.name}: ${toMegabytes(units)} of ${toMegabytes(file.size)}`);
    };
    const { signal } = stop;
    const issue = await openFile(model, file, { onprogress, signal }).catch(String);
    if (signal.aborted) return;
    if (issue !== undefined) report(`${file.name} cannot be opened: ${issue}`);
    else {
      player.leave();
      view.dialog.value = undefined;
    }
  }
}

function toMegabytes(count: number): string {
  return `${(count / 1e6).toFixed(1)} MB`;
}
