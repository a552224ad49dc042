export interface Bed {
  readonly plant: string;
  readonly litresAWeek: number;
  readonly shade: boolean;
}

/** The water that a bed needs in a week with this much rain, in litres. */
export function litresFor(bed: Bed, rainMm: number): number {
  const need = bed.shade ? bed.litresAWeek * 0.8 : bed.litresAWeek;
  return need - rainMm;
}
