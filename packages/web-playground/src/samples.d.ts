declare module "virtual:sample" {
  /** The texts of the sample workspace by their paths. */
  export const files: Readonly<Record<string, string>>;
}

declare module "virtual:version" {
  /** The version of this package. */
  export const version: string;
}

declare module "virtual:tours" {
  /** The tours, not checked yet. */
  export const tours: Readonly<Record<string, string>>;
}

declare module "virtual:comment-parser" {
  /** The address of the worker that parses sources; undefined where there is none, as in the single file. */
  export const parserUrl: string | undefined;
  /** The address of the folder of grammars. */
  export const grammarsUrl: string;
}

declare module "virtual:redaction-worker" {
  /** The program of the worker that redacts traces. */
  export const program: string;
  export const type: WorkerType;
}
