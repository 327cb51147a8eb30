import { OPTION_STATES, type OptionResult, type OptionState } from '#contracts/http/reinforce-tasks.ts'

type Sum = OptionResult['sums'][number]

/** The sums of one outcome, the largest first. */
export function sumsOf({ sums }: OptionResult, outcome: Sum['outcome']): Sum[] {
  return sums.filter((one) => one.outcome === outcome).toSorted((a, b) => b.count - a.count)
}

/** Options by what became of them. */
export function countStates(options: readonly OptionResult[]): Record<OptionState, number> {
  const counts = Object.fromEntries(Object.keys(OPTION_STATES).map((state) => [state, 0])) as Record<
    OptionState,
    number
  >
  for (const { state } of options) counts[state]++
  return counts
}

/** The options in their order, those that this version does not carry out at the end. */
export function inOrder(options: readonly OptionResult[]): OptionResult[] {
  return options.toSorted((a, b) => Number(a.state === 'not_built') - Number(b.state === 'not_built'))
}
