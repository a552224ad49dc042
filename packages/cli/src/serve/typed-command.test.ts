import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { typedCommand } from "./typed-command.ts";

const cwd = tmpdir();

/** A command line as parsed by a shell: the folder, then each argument. */
function runInShell(command: string): readonly string[] {
  const script = `idewire() { printf '%s\\0' "$PWD" "$@"; }; ${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("the command that starts a served folder again", () => {
  test("a shell parses it into the same arguments, in the same folder", () => {
    const args = ["a b", "it's", "$HOME", "`x`", '{"a":"b"}', "npx tsc; ls", "", "*", "--lint=\\n"];
    const ran = runInShell(typedCommand({ args: ["serve", ...args], cwd, port: 7 }));
    expect(ran).toEqual([cwd, "serve", ...args, "--web-port", "7"]);
  });

  test("the port of the page is named once, and last of several", () => {
    const again = (...args: readonly string[]) => typedCommand({ args, cwd: "/w", port: 80 });
    expect(again("serve", "--web-port", "80")).toBe("cd /w && idewire serve --web-port 80");
    expect(again("serve", "--web-port", "0")).toBe(
      "cd /w && idewire serve --web-port 0 --web-port 80",
    );
    expect(again("serve", "--", "-x")).toBe("cd /w && idewire serve --web-port 80 -- -x");
  });

  test("a token in it is not shown", () => {
    const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const args = ["serve", "--lint", `GITHUB_TOKEN=${token} make`, "--lsp", "pylsp", "--web"];
    const command = typedCommand({ args, cwd, port: 7 });
    expect(command).not.toContain(token);
    expect(command).toContain("--lsp pylsp --web");
  });
});
