import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ApkFacts, Fact } from '#engines/apk/apk-facts.ts'
import { readApk } from '#engines/apk/read-apk.ts'
import { axmlText } from '#engines/axml/axml-text.ts'
import { attributeName } from '#engines/axml/find-attribute.ts'
import type { XmlElement } from '#engines/axml/read-axml.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { entryBytes, hasSoundChecksum } from '#engines/zip/entry-bytes.ts'
import differences from './known-differences.json' with { type: 'json' }

/** A line of ground-truth.jsonl; what the independent tools could not say is null or absent. */
interface Truth {
  file: string
  type: string
  package?: string
  versionCode?: string
  versionName?: string
  minSdk: string | null
  targetSdk: string | null
  label: string | null
  launchableActivity: string | null
  permissions: string[]
  impliedPermissions: string[]
  splitName?: string | null
  effectiveTargetSdk?: number
  counts?: Record<string, number> | null
  exported?: { type: string; name: string | null; permission: string | null; explicit: boolean }[] | null
  aaptBadgingRc: number
  aaptXmltreeRc: number
  zipEntries?: number
  dexCount?: number
  abis?: string[]
  nativeLibs?: string[]
  locales: number | null
  [flag: string]: unknown
}

const FLAGS = [
  'debuggable',
  'allowBackup',
  'usesCleartextTraffic',
  'testOnly',
  'extractNativeLibs',
  'requestLegacyExternalStorage',
] as const

const knownDifferences: readonly { file: string; field: string; reason: string }[] = differences
const folder = process.env['CORPUS_DIR']
const truths = folder ? packagesIn(folder) : []
const agreed = new Map<string, number>()
const differing: string[] = []

function packagesIn(root: string): { truth: Truth; path: string }[] {
  const lines = readFileSync(join(root, 'ground-truth.jsonl'), 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as Truth)
    .filter((truth) => truth.type === 'apk')
    .flatMap((truth) => {
      const path = ['committed', 'packages']
        .map((part) => join(root, part, truth.file))
        .find((name) => existsSync(name))
      return path ? [{ truth, path }] : []
    })
}

const orNull = <T>(fact: Fact<T> | null): T | null => fact?.value ?? null

/** Field -> what the tools say and what we say, for each field that they could judge. */
function comparisons(
  truth: Truth,
  facts: ApkFacts,
  entries: number,
  locales: number,
): [field: string, theirs: unknown, ours: unknown][] {
  const rows: [string, unknown, unknown][] = [
    ['zipEntries', truth.zipEntries, entries],
    ['dexCount', truth.dexCount, facts.dexEntries.length],
    ['abis', truth.abis?.toSorted(), facts.abis],
    ['nativeLibs', truth.nativeLibs?.toSorted(), facts.nativeLibraries.map(({ entry }) => entry).toSorted()],
    ['package', truth.package, orNull(facts.package)],
    // aapt prints an empty text for what is not written.
    ['versionCode', truth.versionCode, orNull(facts.versionCode) ?? ''],
    ['versionName', truth.versionName, orNull(facts.versionName) ?? ''],
    ['splitName', truth.splitName, orNull(facts.split)],
    ['effectiveTargetSdk', truth.effectiveTargetSdk, facts.effectiveTargetSdk],
  ]
  if (truth.package !== undefined)
    rows.push(['minSdk', truth.minSdk, orNull(facts.minSdk)], ['targetSdk', truth.targetSdk, orNull(facts.targetSdk)])
  if (truth.aaptBadgingRc === 0)
    rows.push(
      ['label', truth.label ?? '', orNull(facts.label) ?? ''],
      ['launchableActivity', truth.launchableActivity, orNull(facts.launchableActivity)],
      ['permissions', truth.permissions, facts.permissions.map(({ name }) => name).toSorted()],
      [
        'impliedPermissions',
        truth.impliedPermissions,
        facts.permissions
          .filter(({ impliedBy }) => impliedBy)
          .map(({ name }) => name)
          .toSorted(),
      ],
      ['locales', truth.locales, locales],
    )
  if (!truth.counts) return rows
  const count = (kind: string) => facts.components.filter((component) => component.kind === kind).length
  rows.push(['counts', truth.counts, Object.fromEntries(Object.keys(truth.counts).map((kind) => [kind, count(kind)]))])
  rows.push([
    'exported',
    truth.exported?.map(({ type, name, permission }) => `${type} ${name} ${permission}`).toSorted(),
    facts.components
      .filter(({ exported }) => exported)
      .map(({ kind, name, permission }) => `${kind} ${name} ${permission}`)
      .toSorted(),
  ])
  for (const flag of FLAGS) rows.push([flag, truth[flag], orNull(facts[flag])])
  rows.push(['networkSecurityConfig', truth['networkSecurityConfig'] !== null, facts.networkSecurityConfig !== null])
  return rows
}

describe.skipIf(!folder)('corpus: what packages say of themselves', () => {
  test.each(truths.map((item) => [item.truth.file, item] as const))(
    'facts about the APK %s equal the expected ones',
    (file, { truth, path }) => {
      const known = knownDifferences.filter((difference) => difference.file === file)
      const seen: string[] = []
      const check = (field: string, theirs: unknown, ours: unknown) => {
        if (theirs === undefined) return
        if (JSON.stringify(theirs) === JSON.stringify(ours)) agreed.set(field, (agreed.get(field) ?? 0) + 1)
        else {
          seen.push(field)
          differing.push(`${file} ${field}: ${JSON.stringify(theirs)} / ${JSON.stringify(ours)}`)
        }
      }
      const bytes = new Uint8Array(readFileSync(path))
      try {
        const apk = readApk(bytes)
        const locales = apk.resources ? apk.resources.locales().length : 0
        for (const row of comparisons(truth, apk.facts, apk.zip.byName.size, locales)) check(...row)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        check(
          'error',
          truth.package === undefined ? `${error.format} ${error.key}` : 'read',
          `${error.format} ${error.key}`,
        )
      }
      expect(seen.toSorted()).toEqual(known.map(({ field }) => field).toSorted())
    },
  )

  test('every entry, manifest and table decodes: checksums, attribute names by id, texts', { timeout: 120_000 }, () => {
    const unsound: string[] = []
    for (const { truth, path } of truths) {
      if (!truth.zipEntries || truth.package === undefined) continue
      const { zip, manifest, resources } = readApk(new Uint8Array(readFileSync(path)))
      for (const entry of zip.entries)
        if (!hasSoundChecksum(entry, entryBytes(zip, entry))) unsound.push(`${truth.file} ${entry.name}`)
      const named = (element: XmlElement): void => {
        for (const attribute of element.attributes)
          if (attribute.name && attributeName(attribute) !== attribute.name)
            unsound.push(`${truth.file} ${attribute.name}`)
        element.children.forEach(named)
      }
      named(manifest.root)
      if (!axmlText(manifest).includes('<manifest')) unsound.push(`${truth.file} manifest text`)
      if (!resources) continue
      for (const { name, value } of resources.all())
        if (value?.type === 3 && value.text === undefined) unsound.push(`${truth.file} ${name}`)
    }
    expect(unsound).toEqual([])
  })

  afterAll(() => {
    const fields = [...agreed].map(([field, count]) => `${field} ${count}`).join(', ')
    console.info(
      `${truths.length} packages; equal: ${fields}\ndiffering (theirs / ours): ${differing.length}\n${differing.join('\n')}`,
    )
  })
})
