import type { GenericSchema, InferOutput } from "valibot";

/** A type whose members are readonly at every depth. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Checks at compile time that a valibot schema describes exactly the type `T`: a missing key, an extra key or a
 * key with another type does not compile.
 *
 * @example const schema = exactly<CloseTabArguments>()(v.object({ tab_name: v.string() }));
 */
export function exactly<T>(): <S extends GenericSchema>(
  schema: Same<DeepReadonly<InferOutput<S>>, DeepReadonly<T>> extends true ? S : never,
) => GenericSchema<unknown, T> {
  return (schema) => schema as unknown as GenericSchema<unknown, T>;
}
