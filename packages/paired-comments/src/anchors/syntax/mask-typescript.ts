// Repetitions are bounded, so that matching takes time linear in the text.

/** A call signature on its own line, which the grammar parses as type arguments of the line above. */
const callSignature: RegExp =
  /[ \t\n](?=<(?:const\s{1,99})?\s{0,99}[A-Za-z_$][\w$]{0,99}(?:\s{1,99}extends\s|\s{0,99}[,>=]))(?<=(?:[\w\])}"'/]|(?<!=)>)\s{0,99}\n[ \t]{0,99})/g;

/** `(typeof async)["type"]`, which the grammar parses only without the parentheses. */
const typeOfName: RegExp = /\((typeof\s{1,99}[\w$.]{1,200})\)(?=\[)/g;

/**
 * Replaces TypeScript that the grammar cannot parse, without moving any character: blanks parentheses around `typeof`,
 * and separates call signatures from the line above.
 */
export function maskTypeScript(source: string): string {
  return source.replace(callSignature, ";").replace(typeOfName, " $1 ");
}
