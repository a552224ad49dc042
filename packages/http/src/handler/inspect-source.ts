import { isLoopbackName } from "@idewire/core/internal";

/** The accepted sources of requests. */
export interface SourcePolicy {
  readonly allowedHosts: readonly string[];
  /** `"own"` stands for the origin of pages served here. */
  readonly allowedOrigins: readonly string[];
}

/** The headers of a request that name its source and its target. */
export interface RequestSource {
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
  /** Alternating names and values, as in `node:http`; empty where no header can occur twice. */
  readonly rawHeaders: readonly string[];
}

export interface SourceRefusal {
  readonly status: 400 | 403;
  readonly message: string;
}

/** Checks the Host and the Origin of a request, against DNS rebinding. */
export function inspectSource(
  source: RequestSource,
  policy: SourcePolicy,
): SourceRefusal | undefined {
  return inspectHost(source, policy) ?? inspectOrigin(source, policy);
}

function inspectHost(
  { headers, rawHeaders }: RequestSource,
  { allowedHosts }: SourcePolicy,
): SourceRefusal | undefined {
  const count = countHeaders(rawHeaders, "host");
  // If there are two, a proxy may have checked the other one.
  if (count > 1) return { status: 400, message: `Expected one Host header, got ${count}` };
  const name = (headers.host ?? "").replace(/:\d*$/, "").toLowerCase();
  if (isLoopbackName(name) || allowedHosts.includes(name)) return undefined;
  return { status: 403, message: `The host ${JSON.stringify(name)} is not allowed here` };
}

/** Node keeps only the first of several Host headers; raw headers show them all. */
function countHeaders(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function inspectOrigin(
  { headers }: RequestSource,
  { allowedOrigins }: SourcePolicy,
): SourceRefusal | undefined {
  const { origin } = headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  const own = [`http://${headers.host}`, `https://${headers.host}`];
  if (allowedOrigins.includes("own") && own.includes(origin.toLowerCase())) return undefined;
  return { status: 403, message: `The origin ${JSON.stringify(origin)} is not allowed here` };
}
