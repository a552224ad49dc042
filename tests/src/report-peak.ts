// For `node --import`: prints the peak memory of the process in bytes when it exits.
import { writeSync } from "node:fs";
import { peakBytes } from "./peak-memory.ts";

process.on("exit", () => writeSync(1, String(peakBytes())));
