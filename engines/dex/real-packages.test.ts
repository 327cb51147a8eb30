import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { Program } from './program.ts'
import { readProgram } from './read-program.ts'

/** Packages that others built, with what dexdump counts in each dex file: texts, methods, classes. */
const PACKAGES = [
  {
    from: 'appium-uiautomator2-server',
    file: 'appium-uiautomator2-server-v10.6.6.apk',
    sha256: '8ff760a2a86b487f53090fbdcd5b0360e67d02bb811887d527a9557b0d59c80d',
    counts: {
      'classes.dex': [73788, 65481, 6949],
      'classes2.dex': [26, 12, 11],
      'classes3.dex': [144, 56, 7],
      'classes4.dex': [698, 389, 29],
      'classes5.dex': [167, 66, 3],
      'classes6.dex': [1595, 811, 73],
      'classes7.dex': [99, 41, 4],
      'classes8.dex': [1045, 743, 59],
      'classes9.dex': [890, 572, 75],
      'classes10.dex': [733, 548, 66],
      'classes11.dex': [1238, 498, 68],
      'classes12.dex': [111, 75, 19],
      'classes13.dex': [491, 229, 28],
      'classes14.dex': [81, 34, 2],
      'classes15.dex': [33, 5, 3],
      'classes16.dex': [31216, 19169, 2179],
    },
  },
  {
    from: 'io.appium.settings',
    file: 'settings_apk-debug.apk',
    sha256: '4c5d60ab5ae56502857dc625e1dde2996fa6d9e64c479bbce59214774e2129dd',
    counts: {
      'classes.dex': [46753, 40735, 5045],
      'classes2.dex': [395, 108, 99],
      'classes3.dex': [364, 190, 13],
      'classes4.dex': [138, 56, 4],
      'classes5.dex': [651, 316, 18],
      'classes6.dex': [595, 216, 12],
      'classes7.dex': [95, 33, 3],
      'classes8.dex': [108, 40, 2],
      'classes9.dex': [858, 767, 650],
    },
  },
]

function packageBytes({ from, file, sha256 }: (typeof PACKAGES)[number]): Uint8Array | undefined {
  const require = createRequire(import.meta.url)
  try {
    const bytes = readFileSync(join(dirname(require.resolve(`${from}/package.json`)), 'apks', file))
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? new Uint8Array(bytes) : undefined
  } catch {
    return undefined
  }
}

function programOf(bytes: Uint8Array): Program {
  const zip = readZip(bytes)
  const entries = zip.entries.filter(({ name }) => /^classes\d*\.dex$/.test(name))
  return readProgram(entries.map((entry) => ({ entry: entry.name, bytes: entryBytes(zip, entry) })))
}

describe.each(PACKAGES)('$file', (item) => {
  const bytes = packageBytes(item)
  test.skipIf(!bytes)('counts as dexdump counts, nothing is noted, most arguments that are texts are known', () => {
    const program = programOf(bytes!)
    const counted = program.dexes.map(({ entry, stringCount, methodCount, classCount }) => [
      entry,
      [stringCount, methodCount, classCount],
    ])
    expect(Object.fromEntries(counted)).toEqual(item.counts)
    expect(program.dexes.flatMap(({ notes }) => notes)).toEqual([])
    // Every call lies where its own instruction says so, and nearly all have a line.
    const calls = program.callsTo('L*;->getSystemService(Ljava/lang/String;')
    expect(calls.length).toBeGreaterThan(3)
    for (const call of calls) {
      expect(program.listing(call, 1)[0]).toContain(call.callee)
      expect(program.callsFrom(call.method).map(({ offset }) => offset)).toContain(call.offset)
    }
    const values = calls.map((call) => program.argument(call, 1))
    expect(values.filter(({ kind }) => kind === 'string').length).toBeGreaterThan(values.length / 2)
  })
})
