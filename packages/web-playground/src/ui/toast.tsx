import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const SHOWN_MS = 4_000;

const shown: Signal<string> = signal("");

/** Briefly shows the result of an action without any other visible effect. */
export function toast(text: string): void {
  shown.value = text;
}

/** The place of toasts. */
export function Toast() {
  const text = shown.value;
  useEffect(() => {
    const timer = window.setTimeout(() => toast(""), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <p class="toast" role="status">
      {text}
    </p>
  );
}
