import { describe, expect, test } from 'vitest'
import { COLLECT_LIMITS } from '#contracts/telemetry/wire.ts'
import { failureGroup, identify } from '#engines/stack/failure-group.ts'
import { mappingIndexer, readClassMapping } from '#engines/stack/mapping.ts'
import { readStack } from '#engines/stack/read-stack.ts'
import { retraceJava } from '#engines/stack/retrace-java.ts'
import { DEFECTS } from './defects.ts'
import { type AppProfile, DEMO_APPS } from './demo-apps.ts'
import { detailOf, drift } from './failures.ts'
import { isObfuscated, mappingText } from './obfuscated-builds.ts'
import { makeRng } from './random.ts'

const app = DEMO_APPS[0] as AppProfile
const origin = (version: string) => ({ app: 1, type: 3, version, packageName: '' })
const group = (index: number, version: string, seed = 1) => {
  const detail = detailOf(makeRng(seed), DEFECTS[index] as (typeof DEFECTS)[number], app, version, 1e12, false)
  expect(JSON.stringify(detail).length).toBeLessThan(COLLECT_LIMITS.failureDetailBytes)
  return failureGroup(detail, origin(version))
}

describe('[EXC-01] failures of the demo', () => {
  test('each defect is one group, whatever the event and the version that is not shrunk', () => {
    const groups = DEFECTS.map((_, index) => {
      const all = new Set(
        ['6.2.0', '6.4.1', '6.6.2'].flatMap((version) => [group(index, version), group(index, version, 2)]),
      )
      expect([index, all.size]).toEqual([index, 1])
      return [...all][0]
    })
    expect(new Set(groups).size).toBe(DEFECTS.length)
  })

  test('a shrunk version joins them once its mapping is read', () => {
    const version = '6.3.1'
    expect(isObfuscated(app, version)).toBe(true)
    const bytes = new TextEncoder().encode(mappingText(app, version, drift(version)))
    const indexer = mappingIndexer()
    indexer.push(bytes)
    const classes = new Map(
      indexer.end().map(({ obfuscated, offset, length }) => {
        const found = readClassMapping(new TextDecoder().decode(bytes.subarray(offset, offset + length)))
        if (!found) throw new Error(obfuscated)
        return [obfuscated, found]
      }),
    )
    for (const [index, defect] of DEFECTS.entries()) {
      if (defect.platform !== 'android' || defect.reason === 'SIGSEGV' || defect.thread === 'JavaScript') continue
      const { stack = '', reason = '' } = detailOf(makeRng(3), defect, app, version, 1e12, true)
      expect(group(index, version)).not.toBe(group(index, '6.2.0'))
      const retraced = identify(retraceJava(readStack(stack), classes), reason, origin(version))
      expect([index, retraced.fingerprint]).toEqual([index, group(index, '6.2.0')])
    }
  })
})
