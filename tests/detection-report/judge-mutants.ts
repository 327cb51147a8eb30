import { judgeResult } from '#engines/detect/result/judge-result.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { Mutant } from './make-mutants.ts'
import { scanBytes } from './scan-packages.ts'

/**
 * reported: an item that the planted fact belongs to fails. notAssessed: such an item, or a note of the result that concerns the fact, says
 * what could not be looked at. refused: the file is no package, with a reason (exit code 2). gate: nothing but the gate speaks, on account of something
 * else. wrongClean: the gate passes as well.
 */
export type Outcome = 'reported' | 'notAssessed' | 'refused' | 'gate' | 'wrongClean'

/** What one mutant comes to. The gate is that of the strategy `full`: no item of level high may fail; unsigned unless the signature was planted. */
export function outcomeOf(mutant: Mutant): Outcome {
  const scanned = scanBytes(mutant.bytes(), 'mutant.apk')
  if ('refused' in scanned) return 'refused'
  const { result } = scanned
  const asked = result.items.filter(({ id }) => mutant.items.includes(id))
  if (asked.some(({ verdict }) => verdict === 'fail')) return 'reported'
  if (asked.some(({ verdict }) => verdict === 'not_assessed') || speaks(result, mutant)) return 'notAssessed'
  const { gate } = judgeResult(result, () => false, {
    min_score: null,
    max: { high: 0, middle: null, low: null },
    forbidden: [],
    own_only: false,
    need_assessed: false,
    need_signature: mutant.signed,
  })
  return gate.verdict === 'pass' ? 'wrongClean' : 'gate'
}

const speaks = ({ notAssessed }: Pick<ScanResult, 'notAssessed'>, { about }: Mutant): boolean =>
  notAssessed.some(({ text }) => about.test(text.en))
