import type { JsonSchema, ObjectSchema } from "../protocol.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** A schema of any JSON value: Standard Schema, or JSON Schema itself. */
export type Schema = StandardSchema | JsonSchema;

/** A schema of an object, as the arguments of a tool and forms are. */
export type InputSchema = StandardSchema | ObjectSchema;

/** The type of a value that a schema has validated. */
export type InferOutput<S> =
  S extends StandardSchema<unknown, unknown>
    ? NonNullable<S["~standard"]["types"]>["output"]
    : FromJsonSchema<S>;

/** The type of a value before validation, which may transform it. */
export type InferInput<S> =
  S extends StandardSchema<unknown, unknown>
    ? NonNullable<S["~standard"]["types"]>["input"]
    : FromJsonSchema<S>;

/** The type that a literal JSON Schema describes; `unknown` for keywords that it does not understand. */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Member)[] }
      ? FromJsonSchema<Member>
      : S extends { readonly oneOf: readonly (infer Member)[] }
        ? FromJsonSchema<Member>
        : S extends { readonly type: readonly (infer Type)[] }
          ? FromType<Type, S>
          : S extends { readonly type: infer Type }
            ? FromType<Type, S>
            : unknown;

/** Distributes over a list of types. */
type FromType<Type, S> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? readonly (S extends { readonly items: infer Item } ? FromJsonSchema<Item> : unknown)[]
          : Type extends "object"
            ? FromProperties<S>
            : unknown;

type FromProperties<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      {
        readonly [K in keyof Properties as K extends RequiredOf<S> ? K : never]: FromJsonSchema<
          Properties[K]
        >;
      } & {
        readonly [K in keyof Properties as K extends RequiredOf<S> ? never : K]?: FromJsonSchema<
          Properties[K]
        >;
      }
    >
  : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** One object type in place of an intersection, so that editors show its members. */
type Flat<T> = { [K in keyof T]: T[K] };
