import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findMachine, mayBeElsewhere, parseGateway, parseNameServer } from "./editor-machine.ts";

const lock = { workspaceFolders: ["C:\\x"], runningInWindows: true };

/** A port on one of the addresses of this machine. */
async function listenOn(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as { readonly port: number }).port;
}

function files(texts: Readonly<Record<string, string>>) {
  return async (path: string) => texts[path];
}

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask
eth0\t00F016AC\t00000000\t0001\t0\t0\t0\t00F0FFFF
eth0\t00000000\t0200007F\t0003\t0\t0\t0\t00000000
`;

test("the default gateway is read from the routes, its bytes in reverse", () => {
  expect(parseGateway(ROUTES)).toBe("127.0.0.2");
  for (const none of ["", "Iface\n", "Iface\neth0\t00000000\tzz\n", "a\nb"]) {
    expect(parseGateway(none)).toBeUndefined();
  }
});

test("the first name server with an IPv4 address is read", () => {
  expect(parseNameServer("# by WSL\nnameserver 172.22.64.1\nnameserver 8.8.8.8\n")).toBe(
    "172.22.64.1",
  );
  expect(parseNameServer("search home\nnameserver fe80::1\n")).toBeUndefined();
});

test("CLAUDE_CODE_IDE_HOST_OVERRIDE names the machine, with precedence over everything else", async () => {
  const env = { CLAUDE_CODE_IDE_HOST_OVERRIDE: "10.1.2.3", WSL_DISTRO_NAME: "Ubuntu" };
  expect(await findMachine({ lock, port: 1, env, read: files({}) })).toBe("10.1.2.3");
});

test("from WSL an editor on Windows is at the gateway if that answers, else here", async () => {
  const env = { WSL_DISTRO_NAME: "Ubuntu" };
  const read = files({ "/proc/net/route": ROUTES });
  const port = await listenOn("127.0.0.2");
  expect(await findMachine({ lock, port, env, read })).toBe("127.0.0.2");
  const here = await listenOn("127.0.0.1");
  expect(await findMachine({ lock, port: here, env, read })).toBe("127.0.0.1");
  const linux = { ...lock, runningInWindows: false };
  expect(await findMachine({ lock: linux, port, env, read })).toBe("127.0.0.1");
  const byName = files({ "/etc/resolv.conf": "nameserver 127.0.0.2\n" });
  expect(await findMachine({ lock, port, env, read: byName })).toBe("127.0.0.2");
});

test("in a container the host machine is tried only if nothing answers here", async () => {
  const read = files({ "/.dockerenv": "" });
  const port = await listenOn("127.0.0.1");
  expect(await findMachine({ lock, port, env: {}, read })).toBe("127.0.0.1");
});

test("a process may be elsewhere in WSL, in a container, and where a machine is named", async () => {
  const read = files({});
  expect(await mayBeElsewhere({ env: {}, read })).toBe(false);
  expect(await mayBeElsewhere({ env: { WSL_DISTRO_NAME: "Ubuntu" }, read })).toBe(true);
  expect(await mayBeElsewhere({ env: { CLAUDE_CODE_IDE_HOST_OVERRIDE: "h" }, read })).toBe(true);
  for (const mark of ["/.dockerenv", "/run/.containerenv"]) {
    expect(await mayBeElsewhere({ env: {}, read: files({ [mark]: "" }) })).toBe(true);
  }
});
