import { requiredElicitations } from "@idewire/core/internal";
import { IdewireError, RpcError } from "@idewire/core/rpc";
import type { CredentialStore } from "@idewire/http/oauth";
import { describeEnd } from "@idewire/node-server/internal";
import type { Target } from "../flags/target.ts";
import { visible } from "../output/printable.ts";
import type { McpContext } from "./open-client.ts";
import { SILENT_CAUSE } from "./silent-program.ts";

/** How a token that no login has issued is sent. */
const OWN_TOKEN = '--header "Authorization: Bearer <token>"';

/** The codes of errors whose messages are not a server's. */
const OWN_WORDS: ReadonlySet<string> = new Set(["no-editor", "invalid-argument"]);

/** The time-out of a program without any output. */
const HANDSHAKE = /^(?:initialize|server\/discover): no answer(?: or progress)? in \d+ ms$/;
const SILENT_PROGRAM = `Perhaps it ${SILENT_CAUSE}`;

/** Explains an error to the person: its origin and the remedy. */
export async function advise(
  error: unknown,
  { run, store }: Pick<McpContext, "run" | "store">,
): Promise<unknown> {
  const { action, headers, target, framing, login } = run;
  if (error instanceof RpcError) return explainRefusal(error);
  if (!(error instanceof IdewireError)) return error;
  const { code } = error;
  // A message may quote the server, whose line breaks must not start lines of ours.
  const message = OWN_WORDS.has(code) ? error.message : visible(error.message);
  const withAdvice = (advice: string) =>
    new IdewireError(code, `${message}\n${advice}`, { cause: error });
  const isOfProgram = code === "closed" || code === "unreachable";
  if (isOfProgram && "command" in target) {
    return new IdewireError(code, describeEnd(target.command, message), { cause: error });
  }
  if (code === "no-editor") {
    return withAdvice("A command comes after --, and an address begins with http:// or https://");
  }
  // A lost handshake cannot have run a tool.
  if (code === "lost" && message.startsWith("tools/call")) {
    return withAdvice("The tool may have run: check before you call it again");
  }
  if (action === "login" && error.cause === 404) {
    return withAdvice(
      `If you have a token from elsewhere, send it with the other commands: ${OWN_TOKEN}`,
    );
  }
  const isSilent = code === "timeout" && HANDSHAKE.test(message);
  if (isSilent && "command" in target && framing === "lines") {
    return withAdvice(SILENT_PROGRAM);
  }
  const hasToken = Object.hasOwn(headers, "authorization");
  if (code !== "unauthorized" || action === "login" || hasToken) {
    return message === error.message ? error : new IdewireError(code, message, { cause: error });
  }
  if (login.isUnattended) return new IdewireError(code, message, { cause: error });
  const profile = login.profile === undefined ? "" : `--profile ${login.profile} `;
  // The cause is the status of a refusal; without valid tokens, there is no login to refuse.
  const isRefused = error.cause === 403 && (await isLoggedIn(target, store));
  return withAdvice(
    isRefused
      ? "You are logged in, but the server refuses the request"
      : `Log in first: idewire mcp login ${profile}<url>\nIf you have a token, send it: ${OWN_TOKEN}`,
  );
}

async function isLoggedIn(target: Target, store: CredentialStore): Promise<boolean> {
  if (!("url" in target)) return false;
  // A fault of the token file is reported as the error itself.
  const kept = await store.read(target.url).catch(() => undefined);
  return kept?.tokens !== undefined;
}

function explainRefusal(error: RpcError): RpcError {
  const { code, message, data } = error;
  const visits = requiredElicitations(error) ?? [];
  const lines = visits.map(
    (each) => `Visit ${visible(each.url)}, then try again: ${visible(each.message)}`,
  );
  return new RpcError(
    code,
    [`The server refuses: ${visible(message)} (${code})`, ...lines].join("\n"),
    data,
  );
}
