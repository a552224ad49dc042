/**
 * The floods to test one of several commands with: all of them in slow runs, otherwise a share, so that each flood
 * tests one command.
 * @param at the index of the command among `commands`
 */
export function floodsFor<T>(floods: readonly T[], at: number, commands: number): readonly T[] {
  if (process.env["IDEWIRE_MODE"] === "slow") return floods;
  return floods.filter((_, index) => index % commands === at % commands);
}
