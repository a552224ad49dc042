import type { InlineContext } from "@lezer/markdown";

/** The whole text of the paragraph, heading or cell that is parsed. */
export function textOf(cx: InlineContext): string {
  return cx.slice(cx.offset, cx.end);
}

/** State that inline parsers keep while one paragraph, heading or cell is parsed. */
export function stateOf<State>(create: (cx: InlineContext) => State): (cx: InlineContext) => State {
  const states = new WeakMap<InlineContext, State>();
  return (cx) => {
    const known = states.get(cx);
    if (known !== undefined) return known;
    const state = create(cx);
    states.set(cx, state);
    return state;
  };
}
