import process from "node:process";
import type { Platform } from "@idewire/core";

/** How this machine, and so an agent on it, writes paths. */
export const platform: Platform = process.platform === "win32" ? "windows" : "posix";
