import type { CommentSource } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";
import { CommentsModel } from "./comments-model.ts";

const models = new WeakMap<PageModel, CommentsModel>();

/** The comments of a page. */
export async function openComments(model: PageModel): Promise<CommentsModel> {
  const { live } = model;
  const source = live === undefined ? await simulated(model) : live.comments;
  const commentsModel = models.get(model) ?? new CommentsModel(model, source);
  models.set(model, commentsModel);
  return commentsModel;
}

/** @throws Error before it was opened */
export function commentsModelOf(model: PageModel): CommentsModel {
  const commentsModel = models.get(model);
  if (commentsModel === undefined) throw new Error("the comments of the page are not loaded");
  return commentsModel;
}

async function simulated(model: PageModel): Promise<CommentSource> {
  const { SimulatedComments } = await import("./simulated-comments.ts");
  return new SimulatedComments(model);
}
