import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packages } from "./packages.ts";

test.each(packages)(
  "$name imports nothing without names: bundlers warn of it, since nothing has side effects",
  ({ folder, entries }) => {
    const [first] = entries;
    const dist = dirname(first?.built ?? folder);
    const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
    expect(scripts).not.toEqual([]);
    const bare = scripts.flatMap((name) =>
      [...readFileSync(join(dist, name), "utf8").matchAll(/^import ['"][^'"]+['"];/gm)].map(
        ([statement]) => `${name}: ${statement}`,
      ),
    );
    expect(bare).toEqual([]);
  },
);
