import { isObject } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import fc from "fast-check";
import { expect } from "vitest";
import { anyText, mutated, seed } from "./fuzz.ts";
import {
  type Answers,
  answerChallenge,
  CLIENT_SECRET,
  CODE,
  good,
  ISSUER,
  METADATA,
  type Page,
  RESOURCE,
  usual,
} from "./in-memory-authorization.ts";

/** Far above our longest message, and far below the longest answer of a server. */
const LONGEST_MESSAGE = 1_500;

/** The values of a header. */
const headerText = fc.oneof(
  fc.constantFrom('scope="admin"', "a, scope=admin", 'error="invalid_token"', "\\", '"', "=", ","),
  fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
      .map((code) => String.fromCharCode(code)),
    maxLength: 20,
  }),
);
const scopeToken = fc.stringMatching(/^[!#-[\]-~]{1,8}$/);
const spaces = fc.constantFrom("", " ", "\t ");
const parameter = fc.oneof(
  fc.record({ name: fc.constant("scope"), value: fc.array(scopeToken, { minLength: 1 }) }),
  fc.record({
    name: fc.constant("resource_metadata"),
    value: fc.nat().map((n) => [`https://mcp.example.com/oauth-protected-resource/${n}`]),
  }),
  fc.record({
    name: fc.constantFrom("realm", "error_description", "x-scope", "scope_hint", "algs"),
    value: headerText.map((words) => [words]),
  }),
);
const written = fc.array(
  fc.record({ parameter, before: spaces, after: spaces, isUpper: fc.boolean() }),
  { maxLength: 6 },
);

/** The law: a challenge is read by the first parameter of each name. */
export async function fuzzChallenges(numRuns: number): Promise<void> {
  const law = fc.asyncProperty(written, async (parameters) => {
    const found = new Map<string, string>();
    const parts = parameters.map(({ parameter: { name, value }, before, after, isUpper }) => {
      const words = value.join(" ");
      if (!found.has(name)) found.set(name, words);
      const quoted = words.replace(/["\\]/g, "\\$&");
      return `${isUpper ? name.toUpperCase() : name}${before}=${after}"${quoted}"`;
    });
    const { fetched, visited, outcome } = await answerChallenge({
      ...usual,
      challenge: `Bearer ${parts.join(", ")}`,
    });
    const scope = found.get("scope") ?? "read";
    const actual = [
      outcome,
      fetched[0],
      new Set(visited[0]?.searchParams.get("scope")?.split(" ") ?? []),
    ];
    const wanted = [true, found.get("resource_metadata") ?? METADATA, new Set(scope.split(" "))];
    expect(actual).toEqual(wanted);
  });
  await fc.assert(law, { seed, numRuns });
}

const hostileAddress = fc.constantFrom(
  ...["https://169.254.169.254/latest", "https://10.0.0.1/", "https://[::1]/", "http://localhost/"],
  ...[
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://as.example.com/",
    "https://as.example.com/",
  ],
  ...["https://as.example.com.evil.test", "https://u:p@as.example.com", "//evil.test", "data:,x"],
  ...["https://as.example.com/%00", "https://as.example.com?x#y", "https://evil.test/\u0000", ""],
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileAddress,
  fc.constantFrom<unknown>(...[null, [], {}, ["plain"], "S256", 1e308, -1, true, "none"]),
  fc.constantFrom<unknown>([ISSUER, ISSUER], [null], ["__proto__"]),
  fc.array(hostileAddress, { maxLength: 3 }),
  anyText,
  fc.jsonValue({ maxDepth: 2 }),
);

/** The secrets sent by the client so far, which a server may repeat. */
const repeated = fc.constantFrom(CODE, CLIENT_SECRET, `\u0007${CODE}`, [CODE], {
  a: CLIENT_SECRET,
});

/** A document with members replaced, added and removed, or any other text. */
function hostileText(name: Page): fc.Arbitrary<string> {
  const { [name]: document } = good;
  const names = [...Object.keys(document), "error", "error_description", "__proto__", "scope"];
  const value = name === "tokens" ? fc.oneof(hostileValue, repeated) : hostileValue;
  const edit = fc.tuple(fc.constantFrom(...names), fc.option(value, { nil: undefined }));
  const edited = fc.array(edit, { maxLength: 3 }).map((edits) => {
    // JSON.parse creates an own member even for that name.
    const members = new Map<string, unknown>([...Object.entries(document), ...edits]);
    const texts = [...members]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`);
    return `{${texts.join(",")}}`;
  });
  return fc.oneof(
    { weight: 8, arbitrary: edited },
    { weight: 1, arbitrary: mutated(fc.constant(JSON.stringify(document))) },
    { weight: 1, arbitrary: anyText },
  );
}

function page(name: Page): fc.Arbitrary<Answers["pages"][Page]> {
  const status = fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual.pages[name].status) },
    { weight: 1, arbitrary: fc.constantFrom(200, 204, 302, 400, 401, 404, 500, 503) },
  );
  const text = fc.oneof(fc.constant(usual.pages[name].text), hostileText(name));
  return fc.record({ status, text });
}

const redirectName = fc.constantFrom("code", "state", "iss", "error", "error_description");
const hostileAnswers: fc.Arbitrary<Answers> = fc.record({
  challenge: fc.oneof(
    fc.constant("Bearer"),
    headerText.map((words) => `Bearer ${words}`.trim()),
    hostileAddress
      .filter((address) => /^[ -~]*$/.test(address))
      .map((address) => `Bearer resource_metadata="${address}"`),
  ),
  pages: fc.record({
    resource: page("resource"),
    metadata: page("metadata"),
    registration: page("registration"),
    tokens: page("tokens"),
  }),
  redirect: fc.oneof(
    fc.constant({}),
    fc.dictionary(redirectName, fc.oneof(anyText, fc.constantFrom(ISSUER, null)), { maxKeys: 2 }),
  ),
});

/**
 * The law: whatever a server and its authorization server send, a challenge succeeds, or ends with an error of
 * ours that can be shown and contains no secret; only public https addresses are requested or shown.
 * @returns the number of challenges that succeeded, and of those that ended with each code
 */
export async function fuzzAuthorization(numRuns: number): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  const law = fc.asyncProperty(hostileAnswers, async (answers) => {
    const { fetched, visited, secrets, outcome } = await answerChallenge(answers);
    const isMet = outcome === true;
    if (!isMet && !(outcome instanceof IdewireError)) throw outcome;
    const end = isMet ? "met" : outcome.code;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const words = isMet ? "" : outcome.message;
    expect(words).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    expect(words.length).toBeLessThan(LONGEST_MESSAGE);
    for (const secret of secrets) expect(words).not.toContain(secret);
    if (visited.length > 0) expectSafe(answers, visited);
    if (isMet) expect(Object.keys(answers.redirect)).not.toContain("state");
    for (const address of [...fetched, ...visited]) {
      const { protocol, hostname } = new URL(address);
      expect([address, protocol]).toEqual([address, "https:"]);
      expect(hostname).not.toMatch(/^(?:169\.254|10\.|\[::1|localhost)/);
    }
  });
  await fc.assert(law, { seed, numRuns });
  return ends;
}

/**
 * A browser is opened with PKCE by S256 unless only other methods are listed; without metadata, at the server's own
 * origin (MCP 2025-03-26).
 */
function expectSafe({ pages: { metadata } }: Answers, [visited]: readonly URL[]): void {
  const parsedMetadata: unknown =
    metadata.status === 200 ? parseOrNothing(metadata.text) : undefined;
  expect(visited?.searchParams.get("code_challenge_method")).toBe("S256");
  const listed = isObject(parsedMetadata)
    ? parsedMetadata["code_challenge_methods_supported"]
    : undefined;
  const methods = Array.isArray(listed)
    ? listed.filter((method) => typeof method === "string")
    : [];
  if (methods.length > 0) expect(methods).toContain("S256");
  else if (!isObject(parsedMetadata)) expect(visited?.origin).toBe(new URL(RESOURCE).origin);
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
