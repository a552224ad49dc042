import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LaterProps<Props> {
  readonly load: () => Promise<FunctionComponent<Props>>;
  /** The properties of the component, where it has any. */
  readonly sent?: Props;
  /** Shown until it is there. */
  readonly meanwhile?: ComponentChildren;
}

/** Shows a component, and loads it first. */
export function Later<Props extends object>({ load, sent, meanwhile }: LaterProps<Props>) {
  const [Component, setComponent] = useState<FunctionComponent<Props> | undefined>();
  useEffect(() => {
    void load().then((component) => setComponent(() => component));
  }, [load]);
  return Component === undefined ? meanwhile : <Component {...(sent ?? ({} as Props))} />;
}
