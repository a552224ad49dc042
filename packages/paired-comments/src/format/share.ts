const longestShared = 24;
const mostShared = 20_000;
const sharedTexts = new Map<string, string>();

/**
 * The same few tokens and authors occur many times: one string for all that are equal takes a fraction of the
 * memory. Longer texts are given back as they are.
 */
export function share(text: string): string {
  if (text.length > longestShared) return text;
  const known = sharedTexts.get(text);
  if (known !== undefined) return known;
  if (sharedTexts.size >= mostShared) sharedTexts.clear();
  sharedTexts.set(text, text);
  return text;
}
