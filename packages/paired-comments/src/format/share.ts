const longestShared = 24;
const mostShared = 20_000;
const sharedTexts = new Map<string, string>();

/**
 * Interns short strings: the same few tokens and authors occur many times, and sharing them takes a fraction of
 * the memory. Longer texts are returned unchanged.
 */
export function share(text: string): string {
  if (text.length > longestShared) return text;
  const known = sharedTexts.get(text);
  if (known !== undefined) return known;
  if (sharedTexts.size >= mostShared) sharedTexts.clear();
  sharedTexts.set(text, text);
  return text;
}
