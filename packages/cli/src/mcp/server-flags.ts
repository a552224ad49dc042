import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeValue } from "@idewire/core/internal";
import { isClientMetadataUrl } from "@idewire/http/internal";
import type { ProgramFraming } from "@idewire/node-server/internal";
import { type Command, Option } from "commander";
import { parsePort } from "../flags/parse-port.ts";
import type { Target } from "../flags/target.ts";
import type { CliIo } from "../process/io.ts";
import { parseHeaders, parseHeaderVariables } from "./headers.ts";
import type { TlsFiles } from "./server-fetch.ts";
import type { ToolFilter } from "./tool-filter.ts";

/** How a program separates its frames; the first is the default. */
const mcpFramings: readonly ProgramFraming[] = ["lines", "content-length"];

/** How to reach a server, as parsed by commander; the flags of all commands that use one. */
export interface ServerFlags {
  readonly cwd?: string;
  readonly framing?: ProgramFraming;
  readonly header?: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly clientId?: string;
  readonly clientSecretEnv?: string;
  readonly clientMetadataUrl?: string;
  readonly callbackPort?: number;
  readonly issuer?: string;
  readonly scope?: string;
  readonly clientCredentials?: true;
  readonly device?: true;
  readonly tools?: readonly string[];
  readonly hideTools?: readonly string[];
}

/** How to log in to a server. */
export interface LoginOptions {
  readonly profile: string | undefined;
  readonly client: { readonly clientId: string; readonly clientSecret?: string } | undefined;
  /** Where the person publishes the client id metadata document of this program. */
  readonly clientMetadataUrl: string | undefined;
  readonly callbackPort: number | undefined;
  readonly issuer: string | undefined;
  readonly scope: string | undefined;
  /** Whether the program itself is authorized, in place of a person. */
  readonly isUnattended: boolean;
  /** Whether the person enters a code on another device. */
  readonly byDevice: boolean;
}

/** How to reach a server. */
export interface ServerOptions {
  readonly cwd: string;
  readonly framing: ProgramFraming;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsFiles | undefined;
  readonly login: LoginOptions;
  /** Undefined if all tools are shown. */
  readonly filter: ToolFilter | undefined;
}

/** The groups of flags that a command has. */
export interface ServerFlagGroups {
  /** Whether a command may be the server; true by default. */
  readonly programs?: boolean;
  /** Whether `--cwd` is added; as `programs` by default. */
  readonly cwd?: boolean;
  /** Whether tools are listed or called; true by default. */
  readonly tools?: boolean;
}

/** Adds the flags of {@link ServerFlags}. */
export function addServerFlags(
  command: Command,
  { programs = true, cwd = programs, tools = true }: ServerFlagGroups = {},
): Command {
  if (cwd) command.option("--cwd <folder>", "where a command after -- runs (default: this folder)");
  if (programs) {
    command.addOption(
      new Option("--framing <framing>", "how a command after -- tells messages apart")
        .choices(mcpFramings)
        .default("lines"),
    );
  }
  command
    .addOption(repeated("--header <header>", 'send a header to an address: "Name: value"'))
    .addOption(repeated("--header-env <header>", 'send a variable as a header: "Name: VARIABLE"'))
    .option("--cacert <file>", "also trust the certificate authorities of a PEM file")
    .option("--cert <file>", "the client certificate for the server, a PEM file; needs --key")
    .option("--key <file>", "the private key of --cert, a PEM file")
    .option("--profile <name>", "use the login of this name, one of several at an address")
    .option("--client-id <id>", "the id of a client that is registered by hand")
    .option("--client-secret-env <variable>", "the variable with its secret; needs --issuer")
    .option("--client-metadata-url <url>", "your client id metadata document, where it is accepted")
    .option("--callback-port <port>", "the only port that a login may return to", parsePort)
    .option("--issuer <url>", "accept no other authorization server")
    .option("--scope <scopes>", "request these scopes, separated by spaces")
    .option("--device", "log in with a code, on any device");
  if (tools) {
    command
      .option("--client-credentials", "authorize this program, not a person, by the secret")
      .addOption(repeated("--tools <glob>", "show only tools with such names"))
      .addOption(repeated("--hide-tools <glob>", "neither list nor call tools with such names"));
  }
  return command;
}

/** An option that may be repeated. */
export function repeated(flags: string, words: string): Option {
  const collect = (text: string, others: readonly string[] = []) => [...others, text];
  return new Option(flags, `${words}; may be repeated`).argParser(collect);
}

/** The flags that concern only servers at an address, by their members. */
const remoteFlags = {
  ...{ header: "--header", headerEnv: "--header-env", cacert: "--cacert", cert: "--cert" },
  ...{ key: "--key", profile: "--profile", clientId: "--client-id", scope: "--scope" },
  ...{ clientSecretEnv: "--client-secret-env", issuer: "--issuer", device: "--device" },
  ...{ clientMetadataUrl: "--client-metadata-url", callbackPort: "--callback-port" },
  clientCredentials: "--client-credentials",
} as const satisfies Partial<Record<keyof ServerFlags, string>>;

/** The first flag that concerns only servers at an address. */
export function strayOf(flags: ServerFlags): string | undefined {
  const members = Object.keys(remoteFlags) as (keyof typeof remoteFlags)[];
  const stray = members.find((member) => flags[member] !== undefined);
  return stray && remoteFlags[stray];
}

/** Reads the flags; resolves to an error message for wrong ones. */
export async function readServerFlags(
  flags: ServerFlags,
  target: Target,
  io: CliIo,
): Promise<ServerOptions | string> {
  if (!("url" in target)) {
    const stray = strayOf(flags);
    if (stray !== undefined) return `${stray} is for a server at an address`;
  }
  const headers = parseHeaders(flags.header ?? []);
  if (typeof headers === "string") return headers;
  const fromEnv = parseHeaderVariables(flags.headerEnv ?? [], io.env);
  if (typeof fromEnv === "string") return fromEnv;
  const tls = await readTls(flags, io);
  if (typeof tls === "string") return tls;
  const login = readLogin(flags, io);
  if (typeof login === "string") return login;
  const filter = await readFilter(flags);
  if (typeof filter === "string") return filter;
  const { cwd = ".", framing = "lines" } = flags;
  return { cwd, framing, headers: { ...headers, ...fromEnv }, tls, login, filter };
}

async function readFilter({
  tools = [],
  hideTools = [],
}: ServerFlags): Promise<ToolFilter | undefined | string> {
  if (tools.length === 0 && hideTools.length === 0) return undefined;
  // Globs are slow to load.
  const { createToolFilter } = await import("./tool-filter.ts");
  return createToolFilter(tools, hideTools);
}

function readLogin(flags: ServerFlags, { env }: CliIo): LoginOptions | string {
  const { profile, clientId, clientSecretEnv, issuer, scope, clientCredentials, device } = flags;
  const { clientMetadataUrl, callbackPort } = flags;
  if (profile !== undefined && !/^[^\p{C}\p{Z}]{1,64}$/u.test(profile)) {
    return `--profile takes 1 to 64 characters without spaces; got ${describeValue(profile)}`;
  }
  if (issuer !== undefined && !(/^https?:/.test(issuer) && URL.canParse(issuer))) {
    return `--issuer takes an address; got ${describeValue(issuer)}`;
  }
  if (clientMetadataUrl !== undefined) {
    if (clientId !== undefined) return "--client-metadata-url and --client-id are two clients";
    if (!isClientMetadataUrl(clientMetadataUrl)) {
      const seen = describeValue(clientMetadataUrl);
      return `--client-metadata-url takes an https address with a path; got ${seen}`;
    }
  }
  const secret = clientSecretEnv === undefined ? undefined : env[clientSecretEnv];
  if (clientSecretEnv !== undefined) {
    if (!secret) return `--client-secret-env: the variable ${clientSecretEnv} is not set`;
    if (clientId === undefined) return "--client-secret-env needs --client-id";
    if (issuer === undefined) {
      return "--client-secret-env needs --issuer, the only server that is sent the secret";
    }
  }
  if (clientCredentials === true && secret === undefined) {
    return "--client-credentials needs --client-id, --client-secret-env and --issuer";
  }
  if (clientCredentials === true && device === true) {
    return "--device logs in a person, and --client-credentials does not";
  }
  const client = clientId === undefined ? undefined : { clientId };
  return {
    ...{ profile, issuer, scope, clientMetadataUrl, callbackPort },
    client: client && secret ? { ...client, clientSecret: secret } : client,
    isUnattended: clientCredentials === true,
    byDevice: device === true,
  };
}

async function readTls(
  { cacert, cert, key }: ServerFlags,
  io: CliIo,
): Promise<TlsFiles | undefined | string> {
  if (cert !== undefined && key === undefined) return "--cert needs --key";
  if (key !== undefined && cert === undefined) return "--key needs --cert";
  if (cacert === undefined && cert === undefined) return undefined;
  const files: { ca?: string; cert?: string; key?: string } = {};
  const named = { ca: cacert, cert, key };
  for (const member of ["ca", "cert", "key"] as const) {
    const path = named[member];
    if (path === undefined) continue;
    const flag = member === "ca" ? "--cacert" : `--${member}`;
    try {
      files[member] = await readFile(resolve(io.cwd, path), "utf8");
    } catch (error) {
      return `${flag}: ${(error as Error).message}`;
    }
    if (!files[member].includes("-----BEGIN ")) {
      return `${flag} takes a PEM file; ${describeValue(path)} is none`;
    }
  }
  return files;
}
