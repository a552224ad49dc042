export {
  type CodeMirrorHost,
  type CodeMirrorHostOptions,
  createCodeMirrorHost,
} from "./code-mirror-host.ts";
export type { Review } from "./review.ts";
