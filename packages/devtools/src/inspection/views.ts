import type { ClientFeature, ResourceContents } from "@idewire/core/client";
import { describeValue, fromBase64, isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { APP_PROTOCOL } from "../trace/explain/end-names.ts";

// MCP Apps (SEP-1865, 2026-01-26): the client's end, as far as it concerns the server.

const MIME_TYPE = "text/html;profile=mcp-app";

/** Announces that tools may have a view. */
export const views: ClientFeature = {
  capabilities: () => ({
    extensions: { [APP_PROTOCOL]: { mimeTypes: [MIME_TYPE] } },
  }),
};

/** The view of an MCP app: foreign code. */
export interface View {
  readonly html: string;
  /** The content security policy with which it may run. */
  readonly policy: string;
  /** The permissions that it has requested and does not get. */
  readonly refused: readonly string[];
}

/**
 * The view in a resource.
 * @throws IdewireError `invalid-argument` when the resource is not a view
 */
export function viewOf(contents: readonly ResourceContents[], uri: string): View {
  if (!uri.startsWith("ui://")) refuse(`a URI that begins with ui://, got ${describeValue(uri)}`);
  const [first] = contents;
  const { mimeType, _meta } = first ?? {};
  if (mimeType?.replaceAll(" ", "") !== MIME_TYPE) {
    refuse(`the type ${MIME_TYPE}, got ${describeValue(mimeType)}`);
  }
  const ui = isObject(_meta) ? _meta["ui"] : undefined;
  return { html: htmlOf(first), ...policyOf(isObject(ui) ? ui : {}) };
}

function htmlOf(contents: ResourceContents | undefined): string {
  const { text, blob } = { text: undefined, blob: undefined, ...contents };
  if (typeof text === "string") return text;
  const bytes = typeof blob === "string" ? fromBase64(blob) : undefined;
  if (bytes !== undefined) return new TextDecoder().decode(bytes);
  return refuse("a text or a blob, got neither");
}

/** An origin, or all subdomains of one. */
const ORIGIN = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d.-]+(?::\d{1,5})?\/?$/i;

/**
 * The section "UI Resource Format", whose defaults apply without "self": that would be this program. The origin
 * is opaque, so that a view has neither storage nor access to the page.
 */
function policyOf(ui: Readonly<Record<string, unknown>>): Omit<View, "html"> {
  const csp = isObject(ui["csp"]) ? ui["csp"] : {};
  const refused: string[] = [];
  const listOf = (member: string): readonly string[] => {
    const domains = csp[member];
    return (Array.isArray(domains) ? domains : []).filter((domain): domain is string => {
      if (typeof domain === "string" && ORIGIN.test(domain)) return true;
      refused.push(`${member}: ${describeValue(domain)} is no origin`);
      return false;
    });
  };
  const connect = listOf("connectDomains");
  const resources = listOf("resourceDomains");
  const frames = listOf("frameDomains");
  const bases = listOf("baseUriDomains");
  const permissions = isObject(ui["permissions"]) ? Object.keys(ui["permissions"]) : [];
  refused.push(...permissions.map((name) => `${name} is not granted`));
  const policy = [
    ["default-src", "'none'"],
    ["script-src", "'unsafe-inline'", ...resources],
    ["style-src", "'unsafe-inline'", ...resources],
    ["img-src", "data:", ...resources],
    ["media-src", "data:", ...resources],
    ["font-src", ...orNone(resources)],
    ["connect-src", ...orNone(connect)],
    ["frame-src", ...orNone(frames)],
    ["base-uri", ...orNone(bases)],
    ["form-action", "'none'"],
    ["frame-ancestors", "'self'"],
    ["sandbox", "allow-scripts", "allow-forms"],
  ];
  return { policy: policy.map((words) => words.join(" ")).join("; "), refused };
}

function orNone(origins: readonly string[]): readonly string[] {
  return origins.length === 0 ? ["'none'"] : origins;
}

function refuse(words: string): never {
  throw new IdewireError("invalid-argument", `The view of an app: expected ${words}`);
}
