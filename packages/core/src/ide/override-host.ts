import type { EditorHost } from "./editor-host.ts";

/** Replacements of a host's members; `undefined` removes an optional one. */
export type EditorHostOverrides = { readonly [M in keyof EditorHost]?: EditorHost[M] | undefined };

/** A view of an editor with some members replaced; the editor itself is unchanged. */
export function overrideHost(host: EditorHost, overrides: EditorHostOverrides): EditorHost {
  return new Proxy(host, {
    get(target, member): unknown {
      const from: object = Object.hasOwn(overrides, member) ? overrides : target;
      const value: unknown = Reflect.get(from, member);
      return typeof value === "function" ? value.bind(from) : value;
    },
  });
}
