// The codes of the UTF-16 units that JSON is made of. They are constants of a module, so that a
// bundle has the numbers alone.

export const QUOTE = 34;
export const COMMA = 44;
export const BACKSLASH = 92;
// Square brackets are these without one bit.
export const OPENING_BRACE = 123;
export const CLOSING_BRACE = 125;
