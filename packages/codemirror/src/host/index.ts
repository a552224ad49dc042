export { createCodeMirrorHost } from "./code-mirror-host.ts";
export type { CodeMirrorHost, CodeMirrorHostOptions } from "./host-options.ts";
export type { Review } from "./review.ts";
