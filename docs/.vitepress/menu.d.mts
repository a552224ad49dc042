interface MenuItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly MenuItem[];
}
export function sidebar(): Readonly<Record<string, readonly MenuItem[]>>;
