// Their repetitions have limits, so that no text costs more than in proportion to its length.

/** `in` and `out` of a type parameter, which the grammar does not know. */
const variance: RegExp =
  /(?<=[<,]\s{0,99})(?:(?:in|out)\s{1,99}){1,2}(?=[A-Za-z_$][\w$]{0,99}\s{0,99}(?:[,>=]|extends\b))/g;
/** A call signature on a line of its own, which the grammar takes for type arguments of the line above. */
const callSignature: RegExp =
  /[ \t\n](?=<(?:const\s{1,99})?\s{0,99}[A-Za-z_$][\w$]{0,99}(?:\s{1,99}extends\s|\s{0,99}[,>=]))(?<=(?:[\w\])}"'/]|(?<!=)>)\s{0,99}\n[ \t]{0,99})/g;

/** Type parameters behind `<`, as in `dual<<A>(a: A) => A>`: the grammar takes `<<` for a shift. */
const genericArgument: RegExp = /(?<=[\w$]<)<[^<>()=;]{1,200}>(?=\()/g;

/** `(typeof async)["type"]`, which the grammar reads without the parentheses alone. */
const typeOfName: RegExp = /\((typeof\s{1,99}[\w$.]{1,200})\)(?=\[)/g;

/**
 * TypeScript as the grammar reads it, each character in its place: variance, the type parameters of type
 * arguments and parentheses around `typeof` are blanked, and call signatures are separated from what is before them.
 */
export function maskTypeScript(source: string): string {
  return source
    .replace(variance, blank)
    .replace(callSignature, ";")
    .replace(genericArgument, blank)
    .replace(typeOfName, " $1 ");
}

function blank(text: string): string {
  return text.replace(/\S/g, " ");
}
