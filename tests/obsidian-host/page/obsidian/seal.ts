import { boot } from "../bridge/channel.ts";

/**
 * Makes every declaration of obsidian.d.ts that this host lacks throw when it is used: plugins would
 * take a method that is silently undefined for a sign of an old app.
 */
export function seal(module: Record<string, unknown>): Record<string, unknown> {
  for (const [name, members] of Object.entries(boot.declared)) {
    const known = module[name];
    if (typeof known !== "function") continue;
    const prototype = known.prototype as object;
    for (const member of members) {
      if (member in prototype || member in known) continue;
      const value = () => {
        throw new Error(`${name}.${member} is not in this host`);
      };
      Object.defineProperty(prototype, member, { value, configurable: true, writable: true });
    }
  }
  return new Proxy(module, {
    get: (target, name: string | symbol) => {
      if (typeof name === "symbol" || name in target || ["__esModule", "default"].includes(name)) {
        return Reflect.get(target, name) as unknown;
      }
      // It may be extended or compared; only constructing it throws.
      return class {
        constructor() {
          throw new Error(`obsidian.${String(name)} is not in this host`);
        }
      };
    },
  });
}
