import {
  createPathMap,
  isInside,
  type PathMap,
  type PosixPath,
  toNativePath,
  toPosixPath,
  wslPathMap,
} from "@idewire/core";
import { comparisonKey } from "@idewire/core/internal";
import { posixPath } from "@idewire/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, seed } from "../src/fuzz.ts";

announceSeed();

/** Few names, so that rules overlap and shadow each other, some of them error-prone. */
const name = fc.oneof(
  fc.constantFrom("a", "b", "A", "ü", "u\u0308", "a b", "%20", "🦊", ".hidden", "mnt", "c"),
  anyText.filter((text) => text !== "" && !/^\.{1,2}$|[/\0\\:*?"<>|]/.test(text)),
);
const below = fc.array(name, { maxLength: 4 });
const posixFolder = below.map((names) => `/${names.join("/")}`);
const windowsFolder = fc.oneof(
  fc.tuple(fc.constantFrom("C:", "c:", "D:"), below).map((parts) => parts.flat().join("\\")),
  fc
    .tuple(
      fc.constantFrom("\\\\wsl$\\Ubuntu", "\\\\wsl.localhost\\Ubuntu", "\\\\srv\\share"),
      below,
    )
    .map((parts) => parts.flat().join("\\")),
);
const rules = (host: fc.Arbitrary<string>, agent: fc.Arbitrary<string>) =>
  fc.array(fc.record({ host, agent }), { minLength: 1, maxLength: 4 });

const maps: fc.Arbitrary<PathMap> = fc.oneof(
  rules(posixFolder, posixFolder).map((some) => createPathMap(some)),
  rules(windowsFolder, posixFolder).map((some) =>
    createPathMap(some, { hostPlatform: "windows", agentPlatform: "posix" }),
  ),
  rules(posixFolder, windowsFolder).map((some) =>
    createPathMap(some, { hostPlatform: "posix", agentPlatform: "windows" }),
  ),
  fc.constant(wslPathMap({ distribution: "Ubuntu" })),
);

function pathsOf(platform: "posix" | "windows"): fc.Arbitrary<PosixPath> {
  const native = platform === "windows" ? windowsFolder : posixFolder;
  return native.map((text) => {
    const path = toPosixPath(text, platform);
    return path.ok ? path.value : posixPath("/");
  });
}

function check<T>(values: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(values, law), { seed, numRuns: 1_000 });
}

const onHost = maps.chain((map) => fc.tuple(fc.constant(map), pathsOf(map.hostPlatform)));
const onAgent = maps.chain((map) => fc.tuple(fc.constant(map), pathsOf(map.agentPlatform)));
const oneShare = (path: PosixPath) => path.replace(/^\/\/wsl\$/i, "//wsl.localhost") as PosixPath;

test("a path that is sent to the agent leads back to the same file", () => {
  check(onHost, ([map, path]) => {
    const seen = map.toAgent(path);
    if (seen === undefined) return;
    const back = map.toHost(seen);
    const key = (some: PosixPath) => comparisonKey(oneShare(some), map.hostPlatform);
    expect(back && key(back)).toBe(key(path));
    const native = toPosixPath(toNativePath(seen, map.agentPlatform), map.agentPlatform);
    expect(native).toEqual({ ok: true, value: seen });
  });
});

test("a path that the agent requests is returned by the same name, unless the editor has two", () => {
  check(onAgent, ([map, path]) => {
    const own = map.toHost(path);
    const again = own && map.toAgent(own);
    if (again === undefined) return;
    const back = map.toHost(again);
    expect(back && comparisonKey(back, map.hostPlatform)).toBe(
      own && comparisonKey(own, map.hostPlatform),
    );
  });
});

test("a path of a map is in a folder of its rules, on both sides", () => {
  const pairs = rules(posixFolder, posixFolder).chain((some) =>
    fc.tuple(fc.constant(some), posixFolder),
  );
  check(pairs, ([some, text]) => {
    const map = createPathMap(some);
    const own = map.toHost(posixPath(text));
    if (own === undefined) return;
    expect(some.some(({ agent }) => isInside(posixPath(agent), posixPath(text)))).toBe(true);
    expect(some.some(({ host }) => isInside(posixPath(host), own))).toBe(true);
  });
});

test("the names below a rule are preserved verbatim", () => {
  check(fc.tuple(posixFolder, posixFolder, below), ([host, agent, names]) => {
    const map = createPathMap([{ host, agent }]);
    const inside = (folder: string) =>
      posixPath(`/${[...folder.split("/"), ...names].filter(Boolean).join("/")}`);
    expect(map.toAgent(inside(host))).toBe(inside(agent));
  });
});
