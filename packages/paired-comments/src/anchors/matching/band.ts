/** Larger tables have only the cells near the diagonal. */
const widest = 60;

/** A table of numbers for two aligned sequences, of a size that is linear in their lengths. */
export class Band {
  readonly #rows: number;
  readonly #columns: number;
  readonly #width: number;
  readonly #cells: Float64Array;

  constructor(rows: number, columns: number) {
    this.#rows = rows;
    this.#columns = columns;
    const isWhole = rows <= widest && columns <= widest;
    this.#width = isWhole ? columns : Math.min(columns, Math.ceil((widest * columns) / rows) + 1);
    this.#cells = new Float64Array(rows * this.#width);
  }

  /** The first column of a row. */
  first(row: number): number {
    const middle = Math.round(((row + 0.5) * this.#columns) / this.#rows);
    const most = this.#columns - this.#width;
    return Math.max(0, Math.min(most, middle - (this.#width >> 1)));
  }

  last(row: number): number {
    return this.first(row) + this.#width - 1;
  }

  has(row: number, column: number): boolean {
    return column >= this.first(row) && column <= this.last(row);
  }

  set(row: number, column: number, value: number): void {
    this.#cells[row * this.#width + column - this.first(row)] = value;
  }

  /** The value of a cell; outside, that of the nearest cell further on; 0 beyond the end. */
  at(row: number, column: number): number {
    let there = row;
    while (there < this.#rows && column > this.last(there)) there++;
    if (there >= this.#rows || column >= this.#columns) return 0;
    const offset = Math.max(0, column - this.first(there));
    return this.#cells[there * this.#width + offset] ?? 0;
  }
}
