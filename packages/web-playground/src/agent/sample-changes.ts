/** A change that the simulated agent, which has no model, can make in the sample workspace. */
export interface SampleChange {
  readonly path: string;
  readonly find: string;
  readonly replace: string;
  /** The request in words. */
  readonly ask: string;
}

export const sampleChanges: readonly SampleChange[] = [
  {
    path: "notes/plan.md",
    find: "it looses water",
    replace: "it loses water",
    ask: "Fix the spelling in plan.md",
  },
  {
    path: "src/watering.ts",
    find: "squareMetres == 0) return 0;\n  var litres",
    replace: "squareMetres === 0) return 0;\n  const litres",
    ask: "Fix the linter error in watering.ts",
  },
  {
    path: "README.md",
    find: "and [[harvest]], which nobody wrote yet.",
    replace: "and how much [[watering]] it needs.",
    ask: "Fix the broken link in README.md",
  },
  {
    path: "notes/watering.md",
    find: "| south | 35            |",
    replace: "| south | 35            |\n| west  | 15            |",
    ask: "Add the west bed to watering.md",
  },
  {
    path: "notes/plan.md",
    find: "- [ ] Sow the carrots in April",
    replace: "- [ ] Sow the carrots in April\n- [ ] Sow the lettuce in May",
    ask: "Add the lettuce to plan.md",
  },
];
