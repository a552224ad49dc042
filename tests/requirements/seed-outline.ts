/** Where a seed makes its statements: line numbers, a range being one block or lines of their own. */
export interface SeedOutline {
  /** Table rows, without the heads. */
  readonly rows: readonly number[];
  /** Fenced blocks, by their first line. */
  readonly blocks: readonly number[];
  /** Items of lists. */
  readonly items: readonly number[];
}

export const seed000Outline: SeedOutline = {
  rows: [],
  blocks: lines(
    "26 37 50 61 75 86 106 124 143 153 188 203 215 226 234 245 253 263 277 304 342 355 362 368 375 381 391 415 425 440 461 510",
  ),
  items: lines(
    "12-13 16-19 289-292 295-298 301 328 335-338 404-408 453-455 493-497 500-504 550-553",
  ),
};

export const seed001Outline: SeedOutline = {
  rows: lines("15-19 114-118 124-127 133-137"),
  blocks: lines("23 45 66 77 87 100"),
  items: lines("5-7"),
};

export const seed002Outline: SeedOutline = {
  rows: lines("68-73 91-92 183-185 218-220 256-257 553-555 616-620"),
  blocks: lines(
    "9 45 55 79 96 119 135 166 188 204 226 243 267 290 318 335 351 358 369 386 397 412 419 439 458 473 487 517 526 535 561 624 675 689 706 726",
  ),
  items: lines(
    "50-51 83-85 327-328 343-344 376-377 404-405 504-505 510-511 544-547 649-653 655-659 661-666 668-671 743-745",
  ),
};

export const seed003Outline: SeedOutline = {
  rows: [],
  blocks: lines(
    "25 44 62 111 135 152 176 205 222 244 267 283 305 358 378 408 431 447 474 505 523 545 585 604 643 655 703 716 736 758 774 796 820 839 859 871 885 904 917 931 949 960 982 996",
  ),
  items: [],
};

export const seed004Outline: SeedOutline = {
  rows: lines("432-436 460-462"),
  blocks: lines(
    "22 33 45 59 91 118 142 166 193 212 237 246 265 282 303 321 343 356 366 380 389 399 416 440 464",
  ),
  items: lines("12-14 258-261 297-299 315-317 337-339 477-483 487-489 493-495 499-503"),
};

/** `3-5 9` is 3, 4, 5, 9. */
export function lines(text: string): readonly number[] {
  return text.split(" ").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
