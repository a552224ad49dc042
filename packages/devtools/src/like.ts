/**
 * Whether a text matches a pattern in which `*` stands for any text, even none. Takes time in
 * proportion to the text for each `*` of the pattern.
 */
export function isLike(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head) || text.length < head.length + tail.length) return false;
  let from = head.length;
  const end = text.length - tail.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, from);
    if (found < 0 || found + piece.length > end) return false;
    from = found + piece.length;
  }
  return from <= end && text.endsWith(tail);
}
