import type { HardenText } from './harden-texts.ts'
import { HARDEN_OPTIONS, type HardenLine } from './hardening.ts'

/** `partial`: done, but a part of it is not in this version; `skipped`: done nowhere, with the reasons; `not_built`: not in this version. */
export type OptionState = 'applied' | 'partial' | 'skipped' | 'not_built'

export interface OptionResult<Option extends string = string> {
  readonly option: Option
  readonly state: OptionState
  /** Sums of the lines' counts. */
  readonly applied: number
  readonly skipped: number
  readonly lines: readonly HardenLine[]
}

const isBuilt = (option: string): boolean => (HARDEN_OPTIONS as readonly string[]).includes(option)

/** What became of each chosen option, in their order; each has at least one line unless this version does not have it. */
export function optionResults<Option extends string>(
  options: readonly Option[],
  lines: readonly HardenLine[],
): OptionResult<Option>[] {
  return options.map((option) => {
    if (!isBuilt(option)) return { option, state: 'not_built', applied: 0, skipped: 0, lines: [] }
    const own = lines.filter((line) => line.option === option)
    const count = (outcome: HardenLine['outcome']) =>
      own.filter((line) => line.outcome === outcome).reduce((sum, line) => sum + line.count, 0)
    const applied = count('applied')
    const state = !applied ? 'skipped' : own.some(({ outcome }) => outcome === 'absent') ? 'partial' : 'applied'
    return { option, state, applied, skipped: count('skipped'), lines: own.length ? own : [nothingDone(option)] }
  })
}

const nothingDone = (option: string): HardenLine => ({
  option: option as HardenLine['option'],
  outcome: 'skipped',
  ...{ file: '', place: '', text: 'nothing to do', detail: '', count: 0 },
})

export interface LineSum {
  readonly outcome: HardenLine['outcome']
  readonly text: HardenText
  readonly detail: string
  readonly count: number
  /** Lines with this text. */
  readonly places: number
}

/** Lines of an option over all files and places: by what was done, or why it was not. */
export function sumLines(lines: readonly HardenLine[]): LineSum[] {
  const sums = new Map<string, LineSum>()
  for (const { outcome, text, detail, count } of lines) {
    const key = `${outcome} ${text} ${detail}`
    const sum = sums.get(key) ?? { outcome, text, detail, count: 0, places: 0 }
    sums.set(key, { ...sum, count: sum.count + count, places: sum.places + 1 })
  }
  return [...sums.values()]
}
