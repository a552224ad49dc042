import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Shows a component that is loaded when it is wanted. */
export function Later({ load }: { readonly load: () => Promise<FunctionComponent> }) {
  const [Component, setComponent] = useState<FunctionComponent | undefined>();
  useEffect(() => {
    void load().then((component) => setComponent(() => component));
  }, [load]);
  return Component === undefined ? null : <Component />;
}
