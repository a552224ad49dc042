import { showHiddenInLine } from "@idewire/core";
import { en } from "./en/index.ts";
import { createTimes, type Times } from "./time.ts";

type English = typeof en;

/** A group and a name in it, such as `sharing.paused`. */
export type TextKey = {
  [Group in keyof English]: `${Group}.${keyof English[Group] & string}`;
}[keyof English];

type TextOf<Key> = Key extends `${infer Group extends keyof English}.${infer Name}`
  ? English[Group][Name & keyof English[Group]]
  : never;

/** The placeholders in braces, each of which needs a value. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Values<Key extends TextKey> =
  Names<TextOf<Key>> extends never
    ? []
    : [values: Readonly<Record<Names<TextOf<Key>>, string | number>>];

/** Keys with the plural forms `x.one` and `x.other`. */
type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Stem}.other`
    ? Stem
    : never
  : never;

/** Returns a text in the person's language. */
export interface Texts extends Times {
  <Key extends TextKey>(key: Key, ...values: Values<Key>): string;
  /** A text with `{count}`, in the plural form of the number. */
  count(key: CountedKey, count: number): string;
}

/** The texts of a language; missing ones are English. */
export type Translation = {
  readonly [Group in keyof English]?: Readonly<Partial<Record<keyof English[Group], string>>>;
};

const translations: Readonly<Record<string, Translation>> = {};

export function createTexts(language: string): Texts {
  const translation = translations[language];
  const plurals = new Intl.PluralRules(translation === undefined ? "en" : language);
  const print = (key: string, values: Readonly<Record<string, string | number>> = {}) => {
    const text = (translation && find(translation, key)) ?? find(en, key) ?? key;
    // A replacer function, since values may contain `$&`; names may have hidden characters.
    return text.replace(/\{(\w+)\}/g, (hole, name: string) =>
      showHiddenInLine(String(values[name] ?? hole)),
    );
  };
  const count = (key: string, count: number) => {
    const form = `${key}.${plurals.select(count)}`;
    return print(find(en, form) === undefined ? `${key}.other` : form, { count });
  };
  return Object.assign(print as Texts, { count }, createTimes(language));
}

function find(texts: Translation, key: string): string | undefined {
  const dot = key.indexOf(".");
  const group: Readonly<Record<string, string>> | undefined =
    texts[key.slice(0, dot) as keyof Translation];
  return group?.[key.slice(dot + 1)];
}
