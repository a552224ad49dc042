/** The largest scenario: lengths in UTF-16 units, and the number of steps. */
export const scenarioLimits: {
  readonly textLength: number;
  readonly lineLength: number;
  readonly steps: number;
} = { textLength: 1 << 24, lineLength: 1 << 20, steps: 10_000 };
