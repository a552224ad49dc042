import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** An interactive shell in a terminal of its own, with jobs. */
export interface JobShell {
  type(...keys: readonly string[]): void;
  /** What the terminal shows. */
  screen(): string;
  shows(pattern: RegExp): Promise<void>;
}

let shells = 0;

export function openJobShell(env: Readonly<Record<string, string>>, cwd: string): JobShell {
  shells += 1;
  const socket = `idewire-${process.pid}-${shells}`;
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8", cwd });
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", "120", "-y", "40"];
  tmux("new-session", "-d", ...size, ...variables, "bash --norc --noprofile -i");
  onTestFinished(() => void tmux("kill-server"));
  const screen = () => tmux("capture-pane", "-p", "-t", ":0.0");
  return {
    screen,
    type: (...keys) => void tmux("send-keys", "-t", ":0.0", ...keys),
    async shows(pattern) {
      const deadline = performance.now() + 20_000;
      while (!pattern.test(screen())) {
        if (performance.now() > deadline) throw new Error(`${pattern} is not in:\n${screen()}`);
        await sleep(50);
      }
    },
  };
}
