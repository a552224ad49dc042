import { constants as access, accessSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { CliIo } from "./io.ts";

/** Whether a shell would find a program. */
export function isOnPath(command: string, cwd: string, env: CliIo["env"]): boolean {
  if (process.platform === "win32") return true;
  const places = command.includes("/")
    ? [resolve(cwd, command)]
    : (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, command));
  return places.some((place) => {
    try {
      accessSync(place, access.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}

/** The program that a shell command starts. */
export function programOf(command: string): string {
  return command.split(" ", 1).join();
}
