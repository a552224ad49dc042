import type { ComponentChildren } from "preact";

/** A term and its value in a list of facts. */
export function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}
