import { type Signal, signal } from "@preact/signals";
import type { LoadedComments } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";

/** The comments of the page; undefined until they are first shown. */
export const loadedComments: Signal<LoadedComments | undefined> = signal(undefined);

/** The comments of the page; loads them first. */
export async function loadComments(model: PageModel): Promise<LoadedComments> {
  const { openComments } = await import("./open-comments.ts");
  const commentsModel = await openComments(model);
  loadedComments.value = commentsModel;
  return commentsModel;
}
