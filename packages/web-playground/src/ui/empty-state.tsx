import type { ComponentChildren } from "preact";
import { Icon, type IconNode } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconNode;
  /** What is missing, and the one action that brings it. */
  readonly children: ComponentChildren;
}

/** In place of what is not there yet. */
export function EmptyState({ icon, children }: EmptyStateProps) {
  return (
    <div class="empty state">
      <Icon of={icon} />
      {children}
    </div>
  );
}
