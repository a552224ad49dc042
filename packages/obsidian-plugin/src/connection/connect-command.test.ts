import { execFileSync } from "node:child_process";
import { shellQuote } from "@idewire/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createVaultPaths } from "../vault-paths.ts";
import { connectCommand, quoteForPowerShell, toolsCommand } from "./connect-command.ts";

test("a shell reads the exact folder name, whatever characters it has", () => {
  const names = fc.sample(
    fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !name.includes("\0")),
    30,
  );
  names.push("My notes", "it's", '"', "$HOME", "`id`", "a\nb", "~", "-n", "!!", "*", "Ä 🌱");
  const words = names.map(shellQuote).join(" ");
  const read = execFileSync("sh", ["-c", `printf '%s\\0' ${words}`], { encoding: "utf8" });
  expect(read.split("\0").slice(0, -1)).toEqual(names);
});

test("a simple folder name is not quoted", async () => {
  const { root } = await createVaultPaths("/no/vault");
  expect(connectCommand(root)).toBe("cd /no/vault && claude --ide --permission-mode default");
  expect(toolsCommand(root)).toBe("claude mcp add vault -- idewire vault-tools --cwd /no/vault");
});

test("single quotes are doubled for PowerShell", () => {
  expect(quoteForPowerShell("C:\\it's $me")).toBe("'C:\\it''s $me'");
});
