// For `node --import`: prints the most memory that the process has had, in bytes, at its end.
import { writeSync } from "node:fs";
import { peakBytes } from "./peak-memory.ts";

process.on("exit", () => writeSync(1, String(peakBytes())));
