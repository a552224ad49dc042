/** The method that finds a range in the editor's text of a file; its result is the range. */
export const FIND_RANGE = "editor/findRange";
