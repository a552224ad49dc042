export const PLACEHOLDER: string;
export const repository: { owner: string; name: string };
export function originOf(directory: string): {
  readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
};
export function withAbsoluteLinks(text: string, directory: string): string;
export function requireOwner(actual: string | undefined): void;

/** The published packages, each after its dependencies. */
export const packages: readonly string[];
