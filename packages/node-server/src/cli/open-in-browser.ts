import { spawn } from "node:child_process";

type Env = Readonly<Record<string, string | undefined>>;

/** Whether a person sits here who would see a browser come up. */
export function canOpenBrowser(env: Env): boolean {
  if (env["CI"] !== undefined || env["SSH_CONNECTION"] !== undefined) return false;
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return (env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** Opens an address in the person's browser, as the system does; says whether it tried. */
export function openInBrowser(url: string, env: Env): boolean {
  if (!canOpenBrowser(env)) return false;
  const [command, ...args] = opener(url);
  // The ticket is seen in the list of processes for a moment, by whoever has this account too.
  const child = spawn(command, args, { stdio: "ignore", detached: true, env: { ...env } });
  child.on("error", () => undefined);
  child.unref();
  return true;
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["cmd", "/c", "start", "", url];
  return ["xdg-open", url];
}
