import { EventEmitter } from "events";
import { boot, channel } from "../bridge/channel.ts";

class Process extends EventEmitter {
  readonly pid = boot.pid;
  readonly ppid = boot.pid;
  readonly platform = boot.platform;
  readonly arch = boot.arch;
  readonly env: Record<string, string | undefined> = { ...boot.env };
  readonly version = "v22.20.0";
  readonly versions = { node: "22.20.0", electron: "39.4.0", chrome: "142.0.0.0" };
  readonly type = "renderer";
  readonly argv: readonly string[] = [];
  readonly execPath = "/opt/Obsidian/obsidian";
  readonly stdout = undefined;

  cwd(): string {
    return "/";
  }

  getuid(): number {
    return boot.uid;
  }

  kill(pid: number, signal: string | number = "SIGTERM"): boolean {
    return channel.callSync("kill", "kill", pid, signal) === true;
  }

  nextTick(callback: (...args: unknown[]) => void, ...args: unknown[]): void {
    queueMicrotask(() => callback(...args));
  }
}

export const nodeProcess: Process = new Process();
