// For authors of pages: an editor host over the editors of a page, whichever component they use.
export { EditedText } from "./edited-text.ts";
export { type PageFile, PageHost, type PageHostOptions } from "./page-host.ts";
export { PageReview, type ReviewContext } from "./page-review.ts";
