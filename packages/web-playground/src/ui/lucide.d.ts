declare module "lucide/dist/esm/icons/*" {
  import type { IconNode } from "lucide";

  const icon: IconNode;
  // biome-ignore lint/style/noDefaultExport: as these files have it
  export default icon;
}
