/** The text that this browser keeps under a name; undefined when there is none, or no storage. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Has this browser keep a text; without storage it is forgotten with the page. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is full, or not allowed.
  }
}
