const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that answer a review, as the buttons show them. */
export const answerKeys = {
  accepted: isMac ? "Option+A" : "Alt+A",
  rejected: isMac ? "Option+R" : "Alt+R",
};

/**
 * Answers by keys, wherever the focus is on the page but in a dialog or a field.
 * @returns ends it
 */
export function listenForAnswers(answer: (kind: "accepted" | "rejected") => void): () => void {
  const onkey = (event: KeyboardEvent): void => {
    const kind = answerOf(event);
    if (kind === undefined || isElsewhere(event)) return;
    event.preventDefault();
    event.stopPropagation();
    answer(kind);
  };
  window.addEventListener("keydown", onkey, true);
  return () => window.removeEventListener("keydown", onkey, true);
}

function answerOf(event: KeyboardEvent): "accepted" | "rejected" | undefined {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  // There the option key makes other characters of letters.
  const letter = isMac ? code.replace("Key", "") : key.toUpperCase();
  return letter === "A" ? "accepted" : letter === "R" ? "rejected" : undefined;
}

function isElsewhere({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}
