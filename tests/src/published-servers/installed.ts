import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { LineProgram } from "../line-program.ts";
import { removeFolder } from "../remove-folder.ts";
import { silentPort } from "../silent-port.ts";
import { gateway, type OverHttp, type PublishedServer, publishedServers } from "./list.ts";

/** A program with its arguments and variables. */
export interface Command {
  readonly line: readonly [program: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** A folder with all published servers. */
export class InstalledServers {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "idewire-published-servers-")));

  install(): void {
    writeFileSync(join(this.#folder, "package.json"), '{"private":true}');
    const names = [...publishedServers, gateway].map(({ name, version }) => `${name}@${version}`);
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...flags, ...names], { cwd: this.#folder, stdio: "pipe" });
  }

  remove(): Promise<void> {
    return removeFolder(this.#folder);
  }

  /** Its command line for stdio. */
  command({ bin, args = [], env = {} }: PublishedServer): Command {
    return { line: [this.#binOf(bin), ...args], env };
  }

  /** Serves it over HTTP until the test ends. @returns its address */
  async serve(server: PublishedServer, over: OverHttp, home: string): Promise<string> {
    const port = String(await silentPort());
    const own = this.command(server);
    const isOwn = server.http !== undefined;
    const before = isOwn ? [] : [this.#binOf(gateway.bin), ...gateway.args];
    const [program = "", ...args] = [...before, ...own.line, ...(over.args ?? [])];
    const withPort = (text: string) => text.replace("{port}", port);
    const more = Object.entries(over.env ?? {}).map(([name, text]) => [name, withPort(text)]);
    const running = new LineProgram(program, args.map(withPort), {
      env: { HOME: home, ...own.env, ...Object.fromEntries(more) },
      cwd: home,
    });
    const isUp = () =>
      fetch(`http://localhost:${port}/`).then(
        () => "up",
        () => running.describe(),
      );
    await expect.poll(isUp).toBe("up");
    return `http://localhost:${port}${over.path}`;
  }

  #binOf(name: string): string {
    return join(this.#folder, "node_modules", ".bin", name);
  }
}

/** A server's transports over HTTP: its own, or those of the gateway. */
export function overHttp({ http }: PublishedServer): readonly OverHttp[] {
  return http ?? gateway.http;
}
