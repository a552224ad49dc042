import { createExactJson, type ExactJson } from "@idewire/core/internal/base";
import * as losslessJson from "lossless-json";

/** JSON whose long numbers keep their spelling. */
export const exactJson: ExactJson = createExactJson(() => losslessJson);
