import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { scan } from '#engines/detect/scan.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { readJudgements } from '#tests/detection-report/judgements.ts'
import { locationText } from '#tests/detection-report/scan-packages.ts'

/** Of an item 50 findings are kept: more than these cannot be looked up. */
const KEPT = 50
/**
 * Judged right once and reported no longer: v1 does list the one entry, the other package has generated classes only, and the service
 * compares its action with null before it asks for it again. They were not judged a second time, so the judgements stay as they are.
 */
const DROPPED: ReadonlySet<string> = new Set([
  'android-sig-v1-unsigned-meta META-INF/buildserverid',
  'android-no-hook-detect AndroidManifest.xml',
  'android-no-integrity-check AndroidManifest.xml',
  'android-component-local-dos io.appium.settings.ForegroundService.onStartCommand',
])
/** Findings about a whole library: which of its classes is the evidence has changed since they were judged. */
const OF_LIBRARIES: ReadonlySet<string> = new Set(['android-sdk-known-vuln'])
const DROPPED_IN = /^(?:80b0ae68|5b217e0b|1a8db972|4c5d60ab)/
const folder = process.env['CORPUS_DIR']
const rows = readJudgements()
const files = folder
  ? readdirSync(join(folder, 'packages'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.apk'))
  : []
const wanted = new Set(rows.map((one) => one.package))
const present = files
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder!, 'packages', name))) }))
  .map((one) => ({ ...one, hash: createHash('sha256').update(one.bytes).digest('hex') }))
  .filter(({ hash }) => wanted.has(hash))

test('DET-03 the judgements are 200 or more, and each is one of three', () => {
  expect(rows.length).toBeGreaterThanOrEqual(200)
  expect(new Set(rows.map(({ judgement }) => judgement))).toEqual(new Set(['right', 'wrong', 'unsure']))
})

describe.skipIf(!present.length)('judged findings (CORPUS_DIR)', { timeout: 60_000 }, () => {
  test.each(present)(
    'DET-03 what was right in $name is still found, what was wrong no longer',
    ({ name, bytes, hash }) => {
      const { items } = scan(readPackage(bytes, name), { ...SCAN_CHOICES, date: Date.UTC(2026, 10, 21) })
      const changed = rows
        .filter((one) => one.package === hash)
        .flatMap(({ item, location, judgement: first, second }) => {
          // Where two judges disagree, neither is held against the rule.
          const judgement = second === null || second === first ? first : 'unsure'
          const found = items.find(({ id }) => id === item)
          const shown = found?.findings.some(({ evidence }) => locationText(evidence) === location) ?? false
          if (DROPPED_IN.test(hash) && DROPPED.has(`${item} ${location}`)) return []
          const still = shown || (OF_LIBRARIES.has(item) && found?.verdict === 'fail')
          if (judgement === 'right' && !still && (found?.hits ?? 0) <= KEPT) return [`lost: ${item} ${location}`]
          // What both judges of the proof call wrong is published there, fixed or not.
          return judgement === 'wrong' && second === null && shown ? [`wrong again: ${item} ${location}`] : []
        })
      expect(changed).toEqual([])
    },
  )
})
