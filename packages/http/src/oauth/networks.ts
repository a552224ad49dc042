/**
 * Top-level domains that are not delegated, in use in home, company, virtual and cluster networks, and for special
 * purposes (RFC 6761, RFC 6762 with its appendix G, RFC 8375, RFC 9462, ICANN's `internal`). Names in them are
 * resolved by private resolvers only.
 */
const PRIVATE_DOMAINS = new Set(
  [
    "local localdomain localnet localhost loc arpa test example invalid",
    "internal intranet intra private priv pvt corp mail domain dom workgroup onprem",
    "lan wlan home homelab homenet lab router gateway fritz nas dmz vpn mesh dhcp server openwrt",
    "svc cluster consul nomad docker podman kubernetes minikube service node pod",
    "lxd lxc incus multipass vagrant libvirt openstacklocal novalocal",
  ].flatMap((line) => line.split(" ")),
);

/** How delegated top-level domains are spelled (RFC 3696, section 2): `k8s` and `localdomain6` cannot become one. */
const DELEGABLE = /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/;

/** Names of overlay networks and alternative roots (RFC 7686, RFC 9476). */
const OTHER_NAME = /\.(onion|alt)$/;

type Network = "public" | "private" | "onion" | "alt";

/** The network of an address's host, judged by its name or IP address. Names are not resolved. */
export function networkOf(hostname: string): Network {
  const host = hostname.toLowerCase().replace(/^\[|\]$|(?<!\.)\.+$/g, "");
  const [, other] = OTHER_NAME.exec(host) ?? [];
  if (other !== undefined) return other as Network;
  const isPrivate = host.includes(":") ? isPrivateIpv6(host) : isPrivateNameOrIpv4(host);
  return isPrivate ? "private" : "public";
}

function isPrivateNameOrIpv4(host: string): boolean {
  const domain = host.slice(host.lastIndexOf(".") + 1);
  if (domain === host) return true;
  if (!/^[\d.]+$/.test(host)) return PRIVATE_DOMAINS.has(domain) || !DELEGABLE.test(domain);
  const [a = Number.NaN, b = Number.NaN] = host.split(".").map(Number);
  const isShared = a === 100 && b >= 64 && b < 128;
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
  // Protocol assignments, benchmarks, multicast and reserved blocks (RFC 6890).
  const isSpecial = /^192\.0\.0\./.test(host) || (a === 198 && (b === 18 || b === 19)) || a >= 224;
  return a === 0 || a === 127 || isPrivate || isShared || (a === 169 && b === 254) || isSpecial;
}

/** Public addresses are in 2000::/3 (RFC 4291), except 6to4 and Teredo, or embed a public IPv4 address. */
function isPrivateIpv6(host: string): boolean {
  const url = `http://[${host}]`;
  // A zone, as in fe80::1%eth0, is local to this machine.
  if (!URL.canParse(url)) return true;
  const address = new URL(url).hostname.slice(1, -1);
  // IPv4-mapped addresses, and those of NAT64 (RFC 6052), by which IPv6-only networks reach IPv4 hosts.
  const [, high, low] = /^(?:::ffff|64:ff9b:):([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return isPrivateNameOrIpv4(toIpv4(high, low));
  return !/^(?!2002:|2001:0?:)[23][\da-f]{3}:/.test(address);
}

/** Two groups of an IPv6 address as an IPv4 address. */
function toIpv4(...groups: readonly string[]): string {
  const bytes = groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join(".");
}
