/**
 * The floods that one of several commands is tried with: in slow runs all of them, otherwise its share, so that each
 * flood meets one of the commands.
 * @param at the index of the command among `commands`
 */
export function floodsFor<T>(floods: readonly T[], at: number, commands: number): readonly T[] {
  if (process.env["IDEWIRE_MODE"] === "slow") return floods;
  return floods.filter((_, index) => index % commands === at % commands);
}
