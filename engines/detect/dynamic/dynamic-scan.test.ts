import { describe, expect, test } from 'vitest'
import { makePackage } from '#tests/support/detect-package.ts'
import { NO_PLACE } from '../../geo/place.ts'
import type { ReportContext } from '../../report/report-context.ts'
import { dynamicBlocks } from '../../report/report-dynamic.ts'
import { wordsOf } from '../../report/report-texts.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import type { DynamicResult } from '../result/dynamic-result.ts'
import { scan } from '../scan.ts'
import { dynamicScan } from './dynamic-scan.ts'
import { RUN_JUDGES, type Source } from './judge-run.ts'
import { RunObserver } from './run-observer.ts'

const base = scan(makePackage({ id: 'a.b' }), { ...SCAN_CHOICES, kinds: ['dynamic'] })
const ALL = { items: null, levels: {} }
const NOTHING = new Set<Source>()

/** A run in which these uses were reported before the first input, at 5 s. */
function seenWith(uses: string, run: Partial<DynamicResult['run']> = {}): DynamicResult {
  const observer = new RunObserver({ id: 'a.b', uid: 10_123, startedAt: 1_700_000_000_000 })
  observer.sample(4000, { processes: null, tcp: '', udp: '', uses, top: null })
  observer.input(5000)
  const { logLines, ...parts } = observer.seen(9000, false, () => NO_PLACE)
  return {
    phone: { serial: 's', model: 'M', maker: 'K', release: '14', sdk: 34 },
    run: {
      complete: true,
      install: 'fresh',
      tidied: true,
      firstInput: observer.firstInput,
      length: 9000,
      inputs: 10,
      logLines,
      privateFiles: true,
      ...run,
    },
    ...parts,
    permissions: [],
    files: [],
    screenshots: [],
  }
}
const verdicts = (result: ReturnType<typeof dynamicScan>) =>
  Object.fromEntries(result.items.map(({ id, verdict }) => [id, verdict]))

describe('[DET-03] the result of a run', () => {
  test('a use is a finding of its item, and of the check on consent; what was not seen passes with the length of the run', () => {
    const result = dynamicScan(base, seenWith('READ_SMS: allow; time=+1s0ms ago'), NOTHING, [], ALL)
    const sms = result.items.find(({ id }) => id === 'android-privacy-sms')
    expect(sms).toMatchObject({ verdict: 'fail', hits: 1, owner: 'own' })
    expect(sms?.findings[0]?.detail.en).toBe('3.0 s after the start: Reads SMS, before any input')
    expect(result.privacy).toMatchObject([{ id: 'm3-1', verdict: 'fail' }])
    expect(verdicts(result)['android-privacy-contacts']).toBe('pass')
    expect(result.score.value).toBeLessThan(100)
    expect(result.counts[sms?.level ?? 'info']).toBe(1)
    expect(result.items).toHaveLength(Object.keys(RUN_JUDGES).length)
    // The same twice has the same fingerprint, whenever it happened.
    const later = dynamicScan(base, seenWith('READ_SMS: allow; time=+2s0ms ago'), NOTHING, [], ALL)
    expect(later.items.find(({ id }) => id === 'android-privacy-sms')?.findings[0]?.fingerprint).toBe(
      sms?.findings[0]?.fingerprint,
    )
  })

  test('what was not observed is not assessed, never passed', () => {
    const result = dynamicScan(
      base,
      seenWith(''),
      new Set<Source>(['uses', 'log', 'private_files', 'places', 'activities']),
      [],
      ALL,
    )
    const states = verdicts(result)
    expect(states['android-privacy-sms']).toBe('not_assessed')
    expect(states['android-log-sensitive']).toBe('not_assessed')
    expect(states['android-privacy-overseas-endpoint']).toBe('not_assessed')
    expect(states['android-webview-like-local-server']).toBe('pass')
    expect(result.privacy[0]?.verdict).toBe('not_assessed')
    expect(result.notAssessed.map(({ key }) => key)).toContain('unseen-private-files')
  })

  test('an application that was on the phone before leaves consent to a person; refused uses are none', () => {
    const present = dynamicScan(
      base,
      seenWith('READ_SMS: allow; time=+1s0ms ago', { install: 'present' }),
      NOTHING,
      [],
      ALL,
    )
    expect(present.privacy[0]?.verdict).toBe('manual')
    const refused = dynamicScan(base, seenWith('READ_SMS: ignore; rejectTime=+1s0ms ago'), NOTHING, [], ALL)
    expect(verdicts(refused)['android-privacy-sms']).toBe('pass')
    expect(refused.privacy[0]?.verdict).toBe('pass')
  })

  test('a strategy chooses items and levels', () => {
    const seen = seenWith('READ_SMS: allow; time=+1s0ms ago')
    const choices = { items: ['android-privacy-sms'], levels: { 'android-privacy-sms': 'low' as const } }
    const { items, score } = dynamicScan(base, seen, NOTHING, [], choices)
    expect(items).toMatchObject([{ id: 'android-privacy-sms', level: 'low' }])
    expect(score.value).toBe(99)
  })

  test('[DET-04] a chapter of the report says what was seen, in both languages', () => {
    const result = dynamicScan(
      base,
      seenWith('READ_SMS: allow; time=+1s0ms ago', { complete: false }),
      NOTHING,
      [],
      ALL,
    )
    for (const language of ['zh', 'en'] as const) {
      const context = { result, language, words: wordsOf(language), textOf: (one) => one[language] } as ReportContext
      const text = JSON.stringify(dynamicBlocks(context))
      expect(text).toContain(language === 'zh' ? '手机中途断开' : 'The phone went away')
      expect(text).toContain(language === 'zh' ? '读取短信' : 'Reads SMS')
      expect(dynamicBlocks({ ...context, result: base })).toEqual([])
    }
  })
})
