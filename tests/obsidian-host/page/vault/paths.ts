/** A path as the vault stores it: no slash at either end, no double ones, plain spaces, composed letters. */
export function normalizePath(path: string): string {
  const plain = path
    .replace(/[\\/]+/g, "/")
    .replace(/^\/+|\/+$/g, "")
    .replace(/\u00a0|\u202f/g, " ")
    .normalize("NFC");
  return plain === "" ? "/" : plain;
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "/" : path.slice(0, slash);
}
