import { createRequire } from "node:module";
import { createExactJson, type ExactJson } from "@idewire/core/internal/base";
import type * as LosslessJson from "lossless-json";

/** JSON that preserves the spelling of long numbers. */
export const exactJson: ExactJson = createExactJson(
  () => createRequire(import.meta.url)("lossless-json") as typeof LosslessJson,
);
