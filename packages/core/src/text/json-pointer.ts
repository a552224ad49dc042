/** The JSON pointer (RFC 6901) to a member of the value at another pointer. */
export function pointerTo(parent: string, name: string): string {
  return `${parent}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names of members that a JSON pointer consists of. */
export function namesOfPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
