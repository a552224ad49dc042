import fc from "fast-check";
import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

const sets = fc.array(
  fc.record({
    key: fc.constantFrom("a", "b", "c", "d"),
    weight: fc.nat(6),
    isDeleted: fc.boolean(),
  }),
);

test("the last entries that fit are kept, always the very last", () => {
  fc.assert(
    fc.property(sets, fc.integer({ min: 1, max: 3 }), fc.nat(10), (all, most, heaviest) => {
      const recent = new Recent<number>({ most, heaviest });
      let model: { key: string; value: number; weight: number }[] = [];
      for (const [value, { key, weight, isDeleted }] of all.entries()) {
        model = model.filter((item) => item.key !== key);
        if (isDeleted) recent.delete(key);
        else {
          recent.set(key, value, weight);
          model.push({ key, value, weight });
        }
        const total = () => model.reduce((sum, item) => sum + item.weight, 0);
        while (model.length > 1 && (model.length > most || total() > heaviest)) model.shift();
      }
      for (const key of ["a", "b", "c", "d"]) {
        expect(recent.get(key)).toBe(model.find((item) => item.key === key)?.value);
      }
    }),
  );
});
