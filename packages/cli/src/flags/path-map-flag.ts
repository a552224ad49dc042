import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { createPathMap, type PathMap, wslPathMap } from "@idewire/core";
import type { PathRule } from "@idewire/core/internal";
import { parsePathRule } from "@idewire/core/internal";
import { wslDistribution } from "@idewire/node-server/internal";
import { InvalidArgumentError, Option } from "commander";
import type { CliIo } from "../process/io.ts";

/** A value of `--path-map`: a rule, or the name of a WSL distribution. */
export type PathMapFlag = PathRule | { readonly distribution: string | undefined };

/** `--path-map <host=agent>` of all commands whose agents may be on another machine. */
export function pathMapOption(): Option {
  const words =
    "the folder's path for agents elsewhere: host=agent, or wsl:<name>; may be repeated";
  return new Option("--path-map <host=agent>", words).argParser(collect);
}

function collect(text: string, others: readonly PathMapFlag[] = []): readonly PathMapFlag[] {
  const wsl = /^wsl(?::(.+))?$/.exec(text);
  if (others.length > 0 && (wsl !== null || others.some((other) => "distribution" in other))) {
    throw new InvalidArgumentError(
      "wsl:<name> is a complete map: it cannot be combined with other rules.",
    );
  }
  if (wsl !== null) return [{ distribution: wsl[1] }];
  const rule = parsePathRule(text);
  if (rule.ok) return [...others, rule.value];
  throw new InvalidArgumentError(`${rule.issue}.`);
}

/**
 * @param here the side of the rules that is this machine: its folders may be relative or links
 * @throws IdewireError `invalid-argument`
 */
export async function readPathMap(
  flags: readonly PathMapFlag[] | undefined,
  io: CliIo,
  here: "host" | "agent",
): Promise<PathMap | undefined> {
  if (flags === undefined) return undefined;
  const wsl = flags.find((flag) => "distribution" in flag);
  if (wsl !== undefined) {
    const distribution = wsl.distribution ?? wslDistribution(io.env) ?? "Ubuntu";
    return wslPathMap({ distribution });
  }
  const rules = flags.filter((flag) => "host" in flag);
  return createPathMap(
    await Promise.all(rules.map(async (rule) => ({ ...rule, [here]: await real(rule[here], io) }))),
  );
}

async function real(folder: string, io: CliIo): Promise<string> {
  const native = process.platform !== "win32" && /^([A-Za-z]:[\\/]|\\\\)/.test(folder);
  if (native) return folder;
  const path = resolve(io.cwd, folder);
  return realpath(path).catch(() => path);
}
