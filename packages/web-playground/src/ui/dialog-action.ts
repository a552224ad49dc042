import { useEffect } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import type { DialogAction } from "../state/view-state.ts";

/** Takes the action that the dialog was opened for, once it is possible. */
export function useDialogAction(
  actions: Partial<Record<DialogAction, (() => void) | undefined>>,
): void {
  const { dialogAction } = usePage().view;
  const wanted = dialogAction.value;
  const act = wanted && actions[wanted];
  useEffect(() => {
    if (act === undefined) return;
    dialogAction.value = undefined;
    act();
  });
  useEffect(
    () => () => {
      dialogAction.value = undefined;
    },
    [],
  );
}
