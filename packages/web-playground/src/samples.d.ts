declare module "virtual:sample" {
  /** The texts of the sample workspace by their paths. */
  export const files: Readonly<Record<string, string>>;
}

declare module "virtual:tours" {
  /** The tours, not checked yet. */
  export const tours: readonly unknown[];
}
