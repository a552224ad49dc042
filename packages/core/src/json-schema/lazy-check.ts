import { IdewireError } from "../errors.ts";
import type { JsonSchema } from "../mcp/protocol.ts";
import type { ParseResult } from "../parse-result.ts";
import { requireUsableSchema } from "./usable-schema.ts";

/** A check whose library may have to be loaded. */
export interface LazyCheck {
  /** Loads the library; undefined once that is done. */
  load(this: void): Promise<void> | undefined;
  /** @throws IdewireError `protocol` before the library is loaded */
  parse(this: void, value: unknown): ParseResult<unknown>;
}

/**
 * The check of a plain JSON Schema. Most programs have none to check, so its library is loaded when it is first used.
 * @throws IdewireError `invalid-argument` for an unusable schema
 */
export function createLazyCheck(schema: JsonSchema): LazyCheck {
  requireUsableSchema(schema);
  let check: LazyCheck["parse"] | undefined;
  return {
    load() {
      if (check !== undefined) return undefined;
      return import("./validator.ts").then(({ jsonSchemaValidator }) => {
        check ??= jsonSchemaValidator.compile(schema);
      });
    },
    parse(value) {
      if (check !== undefined) return check(value);
      throw new IdewireError("protocol", "The check of a JSON Schema is not loaded");
    },
  };
}
