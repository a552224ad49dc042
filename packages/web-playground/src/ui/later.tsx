import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LaterProps<Props> {
  readonly load: () => Promise<FunctionComponent<Props>>;
  /** What the component is told; left out where it wants nothing. */
  readonly sent?: Props;
}

/** Shows a component that is loaded when it is wanted. */
export function Later<Props extends object>({ load, sent }: LaterProps<Props>) {
  const [Component, setComponent] = useState<FunctionComponent<Props> | undefined>();
  useEffect(() => {
    void load().then((component) => setComponent(() => component));
  }, [load]);
  return Component === undefined ? null : <Component {...(sent ?? ({} as Props))} />;
}
