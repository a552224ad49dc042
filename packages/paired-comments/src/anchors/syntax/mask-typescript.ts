// Repetitions are bounded, so that matching takes time linear in the text.

/** `in` and `out` of a type parameter, which the grammar does not support. */
const variance: RegExp =
  /(?<=[<,]\s{0,99})(?:(?:in|out)\s{1,99}){1,2}(?=[A-Za-z_$][\w$]{0,99}\s{0,99}(?:[,>=]|extends\b))/g;
/** A call signature on its own line, which the grammar parses as type arguments of the line above. */
const callSignature: RegExp =
  /[ \t\n](?=<(?:const\s{1,99})?\s{0,99}[A-Za-z_$][\w$]{0,99}(?:\s{1,99}extends\s|\s{0,99}[,>=]))(?<=(?:[\w\])}"'/]|(?<!=)>)\s{0,99}\n[ \t]{0,99})/g;

/** Type parameters after `<`, as in `dual<<A>(a: A) => A>`: the grammar parses `<<` as a shift. */
const genericArgument: RegExp = /(?<=[\w$]<)<[^<>()=;]{1,200}>(?=\()/g;

/** `(typeof async)["type"]`, which the grammar parses only without the parentheses. */
const typeOfName: RegExp = /\((typeof\s{1,99}[\w$.]{1,200})\)(?=\[)/g;

/**
 * Replaces TypeScript that the grammar cannot parse, without moving any character: blanks variance, the type
 * parameters of type arguments and parentheses around `typeof`, and separates call signatures from the line above.
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
