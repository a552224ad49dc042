import { createExactJson, type ExactJson } from "@idewire/core/internal/base";
import * as losslessJson from "lossless-json";

/** JSON that preserves the spelling of long numbers. */
export const exactJson: ExactJson = createExactJson(() => losslessJson);
