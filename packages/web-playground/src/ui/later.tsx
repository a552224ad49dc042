import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LaterProps<Props> {
  readonly load: () => Promise<FunctionComponent<Props>>;
  /** The properties of the component, where it has any. */
  readonly sent?: Props;
}

/** Shows a component, and loads it first. */
export function Later<Props extends object>({ load, sent }: LaterProps<Props>) {
  const [Component, setComponent] = useState<FunctionComponent<Props> | undefined>();
  useEffect(() => {
    void load().then((component) => setComponent(() => component));
  }, [load]);
  return Component === undefined ? null : <Component {...(sent ?? ({} as Props))} />;
}
