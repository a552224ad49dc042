import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LazyProps<Props> {
  readonly load: () => Promise<FunctionComponent<Props>>;
  /** The properties of the component, if any. */
  readonly props?: Props;
  /** Shown while it loads. */
  readonly fallback?: ComponentChildren;
}

/** Loads a component and shows it. */
export function Lazy<Props extends object>({ load, props, fallback }: LazyProps<Props>) {
  const [Component, setComponent] = useState<FunctionComponent<Props> | undefined>();
  useEffect(() => {
    void load().then((component) => setComponent(() => component));
  }, [load]);
  return Component === undefined ? fallback : <Component {...(props ?? ({} as Props))} />;
}
