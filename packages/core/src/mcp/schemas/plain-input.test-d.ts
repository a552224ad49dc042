// Laws of types: a line under `@ts-expect-error` must not compile, all others must.

import { plainInput } from "./plain-input.ts";
import type { StandardSchema } from "./standard-schema.ts";

interface Person {
  readonly name: string;
  readonly age?: number;
  readonly tags: readonly string[];
  readonly home?: string | null;
}

const name = { type: "string" } as const;
const age = { type: "number", optional: true } as const;
const tags = { type: "array", items: { type: "string" } } as const;
const home = { type: "string", nullable: true, optional: true } as const;

export const right: StandardSchema<unknown, Person> = plainInput<Person>({ name, age, tags, home });

// @ts-expect-error a member is missing
plainInput<Person>({ name, age, tags });
// @ts-expect-error an optional member is missing
plainInput<Person>({ name, tags, home });
// @ts-expect-error there is a member too many
plainInput<Person>({ name, age, tags, home, extra: name });
// @ts-expect-error a member has another type
plainInput<Person>({ name: { type: "number" }, age, tags, home });
// @ts-expect-error a member is optional that must be there
plainInput<Person>({ name: { ...name, optional: true } as const, age, tags, home });
// @ts-expect-error a member must be there that is optional
plainInput<Person>({ name, age: { type: "number" }, tags, home });
// @ts-expect-error a member may be null that must not be
plainInput<Person>({ name: { ...name, nullable: true } as const, age, tags, home });
// @ts-expect-error a member must not be null that may be
plainInput<Person>({ name, age, tags, home: { ...name, optional: true } as const });
// @ts-expect-error the items of a list have another type
plainInput<Person>({ name, age, tags: { ...tags, items: { type: "number" } }, home });
// @ts-expect-error not every text is one of these words
plainInput<{ readonly word: "a" | "b" }>({ word: name });
