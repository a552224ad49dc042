import { expect, test } from "vitest";
import { posixPath } from "../testing/posix-path.ts";
import { createPathMap, parsePathRule, wslPathMap } from "./path-map.ts";
import { toNativePath, toPosixPath } from "./posix-path.ts";

const container = createPathMap([
  { host: "/home/me/vault", agent: "/workspace" },
  { host: "/home/me/vault/deps", agent: "/deps" },
  { host: "/srv/cache", agent: "/workspace/.cache" },
]);

test.each([
  ["/home/me/vault", "/workspace"],
  ["/home/me/vault/a b/Ü 🦊.md", "/workspace/a b/Ü 🦊.md"],
  ["/home/me/vault/deps/x", "/deps/x"],
  ["/srv/cache/x", "/workspace/.cache/x"],
])("%s is %s for the agent, and back", (own, seen) => {
  expect(container.toAgent(posixPath(own))).toBe(seen);
  expect(container.toHost(posixPath(seen))).toBe(own);
});

test("a path that no rule covers does not exist on the other side", () => {
  for (const path of ["/home/me", "/home/me/vaults", "/", "/etc/passwd"]) {
    expect(container.toAgent(posixPath(path))).toBeUndefined();
  }
  expect(container.toHost(posixPath("/home/me/vault/x"))).toBeUndefined();
});

test("a folder below another mount of the agent is hidden", () => {
  expect(container.toAgent(posixPath("/home/me/vault/.cache/x"))).toBeUndefined();
});

test("dots do not lead out of a folder of the map", () => {
  expect(container.toHost(posixPath("/workspace/../etc/passwd"))).toBeUndefined();
  expect(container.toHost(posixPath("/workspace/a/../../workspace/b"))).toBe("/home/me/vault/b");
});

test("a decomposed name matches a composed rule, and keeps its characters below it", () => {
  const map = createPathMap([{ host: "/home/Ü", agent: "/w" }]);
  expect(map.toAgent(posixPath("/home/U\u0308/u\u0308.md"))).toBe("/w/u\u0308.md");
});

test("a drive or backslashes make a side Windows, where paths are case-insensitive", () => {
  const map = createPathMap([{ host: "\\\\?\\C:\\Vault", agent: "/workspace" }]);
  expect([map.hostPlatform, map.agentPlatform]).toEqual(["windows", "posix"]);
  expect(map.toAgent(posixPath("/c/VAULT/Plan.md"))).toBe("/workspace/Plan.md");
  expect(map.toHost(posixPath("/WORKSPACE/x"))).toBeUndefined();
});

const wsl = wslPathMap({ distribution: "Ubuntu" });

test.each([
  ["C:\\Users\\Jo", "/mnt/c/Users/Jo"],
  ["d:/x", "/mnt/d/x"],
  ["C:", "/mnt/c"],
  ["\\\\?\\C:\\x", "/mnt/c/x"],
  ["/c/Users/Jo", "/mnt/c/Users/Jo"],
  ["\\\\wsl$\\Ubuntu\\home\\jo", "/home/jo"],
  ["\\\\wsl.localhost\\ubuntu", "/"],
  ["\\\\?\\UNC\\wsl.localhost\\Ubuntu\\home", "/home"],
  ["\\\\wsl$\\Debian\\home\\jo", undefined],
  ["\\\\server\\share\\x", undefined],
])("%s on Windows is %s in WSL", (windows, seen) => {
  const path = toPosixPath(windows, "windows");
  expect(path.ok && wsl.toAgent(path.value)).toBe(seen);
});

test.each([
  ["/mnt/c/Users/Jo", "C:\\Users\\Jo"],
  ["/mnt/c", "C:\\"],
  ["/home/jo", "\\\\wsl.localhost\\Ubuntu\\home\\jo"],
  ["/mnt/cd/x", "\\\\wsl.localhost\\Ubuntu\\mnt\\cd\\x"],
])("%s in WSL is %s on Windows", (linux, windows) => {
  const path = wsl.toHost(posixPath(linux));
  expect(path && toNativePath(path, "windows")).toBe(windows);
});

test("a name with backslashes, which Windows would split, does not exist", () => {
  expect(wsl.toHost(posixPath("/mnt/c/vault/..\\..\\Windows"))).toBeUndefined();
  const toWindows = createPathMap([{ host: "/vault", agent: "C:\\vault" }]);
  expect(toWindows.toAgent(posixPath("/vault/a\\..\\..\\b"))).toBeUndefined();
});

test("the drives may be mounted elsewhere", () => {
  const map = wslPathMap({ distribution: "Arch", mountRoot: "/drives" });
  expect(map.toAgent(posixPath("/c/x"))).toBe("/drives/c/x");
});

test("a folder that is not absolute is refused and named", () => {
  expect(() => createPathMap([{ host: "vault", agent: "/w" }])).toThrow(
    'A path map needs absolute folders: the path "vault" is not absolute',
  );
});

test("a rule is split before the agent's folder, also where names have an equals sign", () => {
  const read = (text: string) => parsePathRule(text);
  expect(read("/a=/b")).toEqual({ ok: true, value: { host: "/a", agent: "/b" } });
  expect(read("/a=b/c=/d")).toEqual({ ok: true, value: { host: "/a=b/c", agent: "/d" } });
  expect(read("C:\\a=/b")).toEqual({ ok: true, value: { host: "C:\\a", agent: "/b" } });
  expect(read("/a=C:\\b")).toEqual({ ok: true, value: { host: "/a", agent: "C:\\b" } });
  expect(read("vault=/b")).toEqual({ ok: true, value: { host: "vault", agent: "/b" } });
  for (const broken of ["", "/a", "/a=", "=/b", "/a=b"]) {
    expect(read(broken)).toMatchObject({ ok: false, issue: expect.stringContaining("expected") });
  }
  expect(read("/a=/b=/c")).toMatchObject({ ok: false, issue: expect.stringContaining("2 places") });
});
