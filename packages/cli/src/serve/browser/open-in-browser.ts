import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { writeForwardingPage } from "./forwarding-page.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Whether a browser can be opened on the person's screen. */
export function canOpenBrowser(env: Env): boolean {
  if (env["CI"] !== undefined || env["SSH_CONNECTION"] !== undefined) return false;
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return (env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** How a browser is opened. */
export interface OpenInBrowserOptions {
  readonly env: Env;
  /** Creates an address for this browser only, so that a printed one stays valid. */
  readonly createLink: () => string;
  /** Called with the reason when none could be opened. */
  readonly warn: (words: string) => void;
}

/** Opens a page in the system's default browser; does nothing if there is none. */
export function openInBrowser({ env, createLink, warn }: OpenInBrowserOptions): void {
  if (!canOpenBrowser(env)) return;
  try {
    // Every user of the machine can read the arguments of a process: the link is in a file.
    const page = pathToFileURL(writeForwardingPage(createLink(), env));
    const [command, ...args] = opener(page.href);
    const child = spawn(command, args, { stdio: "ignore", detached: true, env: { ...env } });
    child.on("error", () => undefined);
    child.unref();
  } catch (error) {
    warn(`No browser was opened: ${(error as Error).message}. The printed link is still valid.`);
  }
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url];
  // Not by cmd, which would interpret the & of a path.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
