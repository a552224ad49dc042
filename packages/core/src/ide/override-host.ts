import type { EditorHost } from "./editor-host.ts";

/** Members in place of a host's own; `undefined` takes an optional one away. */
export type EditorHostOverrides = { readonly [M in keyof EditorHost]?: EditorHost[M] | undefined };

/** The same editor to agents, but for some members; what commands it is not touched. */
export function overrideHost(host: EditorHost, overrides: EditorHostOverrides): EditorHost {
  return new Proxy(host, {
    get(target, member): unknown {
      const from: object = Object.hasOwn(overrides, member) ? overrides : target;
      const value: unknown = Reflect.get(from, member);
      return typeof value === "function" ? value.bind(from) : value;
    },
  });
}
