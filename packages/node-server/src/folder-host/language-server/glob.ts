/** LSP's glob patterns: `*`, `?`, `**`, `{a,b}`; sets in brackets are read as any one character. */
export function matchesGlob(pattern: string, path: string): boolean {
  return expandBraces(pattern.slice(0, 500)).some((one) => matchesOne(one, path));
}

/** More alternatives than this are not told apart. */
const MAX_ALTERNATIVES = 64;

function expandBraces(pattern: string): readonly string[] {
  let ahead = [pattern];
  for (let round = 0; round < 8; round++) {
    ahead = ahead.flatMap((one) => {
      const [whole, inside] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (whole === undefined || inside === undefined) return [one];
      return inside.split(",").map((part) => one.replace(whole, () => part));
    });
    if (ahead.length > MAX_ALTERNATIVES) return ["**"];
  }
  return ahead;
}

type Token =
  | { readonly kind: "any" | "many" | "one" }
  | { readonly kind: "is"; readonly text: string };

/** Goes through the path once with all places in the pattern where it may be: no pattern is slow. */
function matchesOne(pattern: string, path: string): boolean {
  const tokens = tokenise(pattern);
  let places = reach(new Set([0]), tokens);
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if (token.kind === "any" || (token.kind === "many" && character !== "/")) next.add(place);
      else if (token.kind === "one" && character !== "/") next.add(place + 1);
      else if (token.kind === "is" && token.text === character) next.add(place + 1);
    }
    places = reach(next, tokens);
  }
  return places.has(tokens.length);
}

/** Stars may stand for nothing. */
function reach(places: Set<number>, tokens: readonly Token[]): Set<number> {
  for (const place of places) {
    const kind = tokens[place]?.kind;
    if (kind === "any" || kind === "many") places.add(place + 1);
  }
  return places;
}

function tokenise(pattern: string): readonly Token[] {
  // A pattern without a slash at its start is for the end of a path, as `**/` is.
  const anchored = pattern.startsWith("/") ? pattern : `**/${pattern.replace(/^\*\*\//, "")}`;
  const pieces = anchored.match(/\*\*\/?|\*|\?|\[[^\]]{0,200}\]|[\s\S]/gu) ?? [];
  return pieces.map((piece): Token => {
    if (piece.startsWith("**")) return { kind: "any" };
    if (piece === "*") return { kind: "many" };
    if (piece === "?" || piece.length > 2) return { kind: "one" };
    return { kind: "is", text: piece };
  });
}
