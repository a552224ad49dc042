// Laws of types: a line under `@ts-expect-error` must not compile, all others must.
import * as v from "valibot";
import { IdewireError, type IdewireErrorCode, RpcError, RpcErrorCode } from "./errors.ts";
import { exactly } from "./exactly.ts";

interface Person {
  readonly name: string;
  readonly age?: number;
  readonly tags: readonly string[];
  readonly home: { readonly city: string | null };
}

const name = v.string();
const age = v.exactOptional(v.number());
const tags = v.array(v.string());
const home = v.object({ city: v.nullable(v.string()) });

/** The helper returns a schema of the interface itself. */
export const right: v.GenericSchema<unknown, Person> = exactly<Person>()(
  v.object({ name, age, tags, home }),
);

exactly<Person>()(
  // @ts-expect-error a key is missing
  v.object({ name, age, tags }),
);

exactly<Person>()(
  // @ts-expect-error an optional key is missing
  v.object({ name, tags, home }),
);

exactly<Person>()(
  // @ts-expect-error there is a key too many
  v.object({ name, age, tags, home, extra: v.string() }),
);

exactly<Person>()(
  // @ts-expect-error there is an optional key too many
  v.object({ name, age, tags, home, extra: v.exactOptional(v.string()) }),
);

exactly<Person>()(
  // @ts-expect-error a key has another type
  v.object({ name: v.number(), age, tags, home }),
);

exactly<Person>()(
  // @ts-expect-error a key is optional that must be there
  v.object({ name: v.exactOptional(v.string()), age, tags, home }),
);

exactly<Person>()(
  // @ts-expect-error a key must be there that is optional
  v.object({ name, age: v.number(), tags, home }),
);

exactly<Person>()(
  // @ts-expect-error undefined is not the same as absent
  v.object({ name, age: v.optional(v.number()), tags, home }),
);

exactly<Person>()(
  // @ts-expect-error a nested key has another type
  v.object({ name, age, tags, home: v.object({ city: v.string() }) }),
);

exactly<Person>()(
  // @ts-expect-error the items of a list have another type
  v.object({ name, age, tags: v.array(v.number()), home }),
);

exactly<readonly ("a" | "b")[]>()(v.array(v.picklist(["a", "b"])));

exactly<readonly ("a" | "b")[]>()(
  // @ts-expect-error one of the words is missing
  v.array(v.picklist(["a"])),
);

/** A switch over the codes of our own errors narrows, and is complete. */
export function advise(error: IdewireError): string {
  switch (error.code) {
    case "closed":
    case "cancelled":
    case "timeout":
      return "try again";
    case "version-mismatch":
    case "protocol":
      return "update";
    case "invalid-argument":
    case "input-required":
      return "mend the call";
    case "folder-in-use":
    case "port-in-use":
    case "file-system":
    case "not-a-folder":
    case "no-editor":
    case "unreachable":
    case "lost":
    case "not-an-editor":
    case "unauthorized":
    case "unmet":
      return "look at the machine";
    default:
      return nothingElse(error.code);
  }
}

function nothingElse(code: never): never {
  throw new Error(code);
}

/** A switch that forgets one does not compile. */
export function forget(code: IdewireErrorCode): string {
  switch (code) {
    case "closed":
      return "closed";
    default:
      // @ts-expect-error there are more codes than one
      return nothingElse(code);
  }
}

// @ts-expect-error a code that does not exist
new IdewireError("no-such-code", "words");

// @ts-expect-error the codes of the two families do not mix
new IdewireError(RpcErrorCode.ParseError, "words");

// @ts-expect-error the code of the wire is a number
new RpcError("closed", "words");

/** What is caught is one of the two, and each shows its own code. */
export function codeOf(error: RpcError | IdewireError): number | IdewireErrorCode {
  if (error instanceof RpcError) {
    const code: number = error.code;
    return code;
  }
  const code: IdewireErrorCode = error.code;
  return code;
}
