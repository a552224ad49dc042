import { resolve } from "node:path";
import type { Command, Option } from "commander";
import type { ListenFlags } from "../flags/listen-flags.ts";
import { parsePort } from "../flags/parse-port.ts";
import {
  addProviderFlags,
  type ProviderFlags,
  type ProviderPlan,
} from "../flags/provider-flags.ts";
import type { CliIo } from "../process/io.ts";
import type { ServeOptions } from "./serve-options.ts";

/** How a folder is served, as parsed by commander. */
export interface FolderFlags extends ListenFlags, ProviderFlags {
  readonly web?: boolean;
  readonly webPort?: number;
  readonly open: boolean;
  readonly record?: string;
  readonly comments?: true;
  readonly checks: boolean;
}

/**
 * Adds the flags of {@link FolderFlags}, except those for how agents reach the folder.
 * @param web whether there is a page
 */
export function addFolderFlags(command: Command, web: Option): Command {
  return addProviderFlags(command)
    .addOption(web)
    .option("--web-port <number>", "the port of the page (default: any free one)", parsePort)
    .option("--no-open", "print the address of the page, and open no browser")
    .option(
      "--record <file>",
      "write all messages to and from agents to a file, without tokens and names",
    )
    .option("--no-checks", "report none of the built-in checks of JSON, YAML and Markdown links")
    .option("--comments", "report comments on edited code to agents (idewire comments)");
}

interface AskedToServe {
  readonly flags: Omit<FolderFlags, "web">;
  readonly providers: ProviderPlan;
  /** Whether there is a page, and whether it may be opened for the person. */
  readonly page: { readonly isWanted: boolean; readonly mayOpen: boolean };
  readonly io: CliIo;
}

/** @param folder as typed */
export function toServeOptions(
  folder: string,
  { flags, providers, page, io }: AskedToServe,
): ServeOptions {
  const {
    lsp,
    lspSettings,
    lspInitOptions,
    lint,
    check,
    matcher,
    webPort,
    open,
    record,
    comments,
    checks,
    ...listen
  } = flags;
  const sits = io.stdin.isTTY === true && io.stdout.isTTY === true;
  return {
    ...{ listen, providers, folder: resolve(io.cwd, folder) },
    comments: comments === true,
    checks,
    ...(record !== undefined && { record: resolve(io.cwd, record) }),
    ...(page.isWanted && {
      page: { open: open && sits && page.mayOpen, ...(webPort !== undefined && { port: webPort }) },
    }),
  };
}
