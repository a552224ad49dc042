/** The sentences of a frontend about a diff of a file outside what it shares. */
export interface OutsideTexts {
  readonly title: string;
  /** After the path of the file. */
  readonly why: string;
  readonly question: string;
  readonly accept: string;
  readonly cancel: string;
}

/**
 * What page and plugin show above such a diff, and ask before it is accepted.
 * @param place the name of what they share
 */
export function outsideTexts(place: "folder" | "vault"): OutsideTexts {
  return {
    title: `Outside the ${place}.`,
    why: `which is not in the ${place === "folder" ? "folder that you serve" : "vault"}.`,
    question: "Let the agent write it all the same?",
    accept: `Accept outside the ${place}`,
    cancel: "Do not accept",
  };
}
