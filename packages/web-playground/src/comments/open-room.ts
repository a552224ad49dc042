import type { CommentSource } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";
import { CommentRoom } from "./comment-room.ts";

const rooms = new WeakMap<PageModel, CommentRoom>();

/** The comments of a page. */
export async function openRoom(model: PageModel): Promise<CommentRoom> {
  const { live } = model;
  const source = live === undefined ? await simulated(model) : live.comments;
  const room = rooms.get(model) ?? new CommentRoom(model, source);
  rooms.set(model, room);
  return room;
}

/** @throws Error before it was opened */
export function roomOf(model: PageModel): CommentRoom {
  const room = rooms.get(model);
  if (room === undefined) throw new Error("the comments of the page are not loaded");
  return room;
}

async function simulated(model: PageModel): Promise<CommentSource> {
  const { SimulatedComments } = await import("./simulated-comments.ts");
  return new SimulatedComments(model);
}
