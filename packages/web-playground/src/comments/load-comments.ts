import type { LoadedComments } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";

/** The comments of the page; loads them first. */
export async function loadComments(model: PageModel): Promise<LoadedComments> {
  const { openRoom } = await import("./open-room.ts");
  return openRoom(model);
}
