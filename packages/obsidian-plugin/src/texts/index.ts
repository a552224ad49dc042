import { en } from "./en/index.ts";

export type TextKey = keyof typeof en;

/** The names in braces, each of which wants a value. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Values<Key extends TextKey> =
  Names<(typeof en)[Key]> extends never
    ? []
    : [values: Readonly<Record<Names<(typeof en)[Key]>, string | number>>];

/** Keys that come as `x.one` and `x.other`. */
type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Stem}.other`
    ? Stem
    : never
  : never;

/** Says a text in the person's language. */
export interface Texts {
  <Key extends TextKey>(key: Key, ...values: Values<Key>): string;
  /** A text with `{count}` in it, in the form that the number wants. */
  count(key: CountedKey, count: number): string;
}

/** The texts of a language; those that it lacks are English. */
export type Translation = Readonly<Partial<Record<TextKey, string>>>;

const translations: Readonly<Record<string, Translation>> = {};

export function createTexts(language: string): Texts {
  const translation = translations[language];
  const plurals = new Intl.PluralRules(translation === undefined ? "en" : language);
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) => {
    const text: string = translation?.[key as TextKey] ?? en[key as TextKey] ?? key;
    // A function: a value may have `$&` in it.
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  };
  const count = (key: string, count: number) => {
    const form = `${key}.${plurals.select(count)}`;
    return say(form in en ? form : `${key}.other`, { count });
  };
  return Object.assign(say as Texts, { count });
}
