import { actsOn, type ReinforceKind } from '#domain/reinforce-kinds.ts'
import {
  isCarriedOut,
  REINFORCE_GROUPS,
  REINFORCE_OPTIONS,
  type ReinforceGroup,
  type ReinforceOption,
} from '#domain/reinforce-options.ts'
import { chosenOptions, type ReinforceOptions } from '#domain/reinforce-policy.ts'

export type OptionGroup = { group: ReinforceGroup; options: ReinforceOption[] }

/** The options by group, groups without any left out. */
export function groupsOf(chosen: readonly ReinforceOption[]): OptionGroup[] {
  return (Object.keys(REINFORCE_GROUPS) as ReinforceGroup[])
    .map((group) => ({ group, options: chosen.filter((option) => REINFORCE_OPTIONS[option].group === group) }))
    .filter((one) => one.options.length > 0)
}

/** Options that are on and not in this version. */
export function notCarriedOut(options: ReinforceOptions): ReinforceOption[] {
  return chosenOptions(options).filter((option) => !isCarriedOut(option))
}

/** Options that are on and in this version, but have nothing to act on in packages of these kinds; none while no package is chosen. */
export function idleOptions(options: ReinforceOptions, kinds: readonly ReinforceKind[]): ReinforceOption[] {
  if (kinds.length === 0) return []
  return chosenOptions(options).filter((option) => isCarriedOut(option) && !kinds.some((kind) => actsOn(option, kind)))
}
