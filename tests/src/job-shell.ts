import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { isAlive } from "./is-alive.ts";

/** An interactive shell with job control in a new terminal. */
export interface JobShell {
  type(...keys: readonly string[]): void;
  /** The content of the terminal. */
  screen(): string;
  shows(pattern: RegExp): Promise<void>;
}

export function openJobShell(env: Readonly<Record<string, string>>, cwd: string): JobShell {
  // Removed with the home of the test.
  const socket = join(env["HOME"] ?? cwd, "tmux");
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8", cwd });
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", "120", "-y", "40"];
  tmux("new-session", "-d", ...size, ...variables, "bash --norc --noprofile -i");
  onTestFinished(async () => {
    const jobs = jobsOf(tmux("display-message", "-p", "#{pane_pid}").trim());
    tmux("kill-server");
    // They write until they exit.
    while (jobs.some(isAlive)) await sleep(20);
  });
  const screen = () => tmux("capture-pane", "-p", "-t", ":0.0");
  return {
    screen,
    type: (...keys) => void tmux("send-keys", "-t", ":0.0", ...keys),
    async shows(pattern) {
      const deadline = performance.now() + 60_000;
      while (!pattern.test(screen())) {
        if (performance.now() > deadline) throw new Error(`${pattern} is not in:\n${screen()}`);
        await sleep(50);
      }
    },
  };
}

function jobsOf(shell: string): readonly number[] {
  const all = execFileSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = all.trim().split("\n");
  return rows.flatMap((row) => {
    const [pid, parent] = row.trim().split(/\s+/);
    return parent === shell ? [Number(pid)] : [];
  });
}
