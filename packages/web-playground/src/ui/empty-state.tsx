import type { ComponentChildren } from "preact";
import { Icon, type IconNode } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconNode;
  /** What is missing, and the one action that brings it. */
  readonly children: ComponentChildren;
}

/** A placeholder for missing content. */
export function EmptyState({ icon, children }: EmptyStateProps) {
  return (
    <div class="empty state">
      <Icon of={icon} />
      {children}
    </div>
  );
}
