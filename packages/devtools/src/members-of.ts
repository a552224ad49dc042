import type { GenericSchema } from "valibot";

/** A schema for each member of `Shapes`. */
export type SchemasOf<Shapes> = {
  readonly [K in keyof Shapes]: GenericSchema<unknown, Shapes[K]>;
};

/**
 * The schemas of an object's members, by name.
 * @param schema made by `exactly`, so that all members together are exactly `Shapes`
 */
export function membersOf<Shapes>(schema: GenericSchema<unknown, Shapes>): SchemasOf<Shapes> {
  return (schema as unknown as { readonly entries: SchemasOf<Shapes> }).entries;
}
