/** `in` and `out` of a type parameter, which the grammar does not know. */
const variance: RegExp =
  /(?<=[<,]\s*)(?:(?:in|out)\s+){1,2}(?=[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))/g;
/** A call signature on a line of its own, which the grammar takes for type arguments of the line above. */
const callSignature: RegExp =
  /[ \t\n](?=<(?:const\s+)?\s*[A-Za-z_$][\w$]*(?:\s+extends\s|\s*[,>=]))(?<=(?:[\w\])}"'/]|(?<!=)>)\s*\n[ \t]*)/g;

/**
 * TypeScript as the grammar reads it, each character in its place: variance is blanked, and call
 * signatures are separated from what is before them.
 */
export function maskTypeScript(source: string): string {
  return source.replace(variance, blank).replace(callSignature, ";");
}

function blank(text: string): string {
  return text.replace(/\S/g, " ");
}
