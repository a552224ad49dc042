import { type Signal, signal } from "@preact/signals";
import type { LoadedComments } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";

/** The comments of the page; undefined until somebody wants to see some. */
export const loadedComments: Signal<LoadedComments | undefined> = signal(undefined);

/** The comments of the page; loads them first. */
export async function loadComments(model: PageModel): Promise<LoadedComments> {
  const { openRoom } = await import("./open-room.ts");
  const room = await openRoom(model);
  loadedComments.value = room;
  return room;
}
