import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FormatError } from '#engines/bytes/format-error.ts'
import type { IpaFacts } from '#engines/ipa/ipa-facts.ts'
import type { MachoImage } from '#engines/macho/macho-facts.ts'
import type { Package } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { plistJson } from '#engines/plist/plist-node.ts'

/** A line of ground-truth.jsonl of a package that is no APK; what the tools did not ask is absent. */
interface Truth {
  file: string
  type: string
  zipEntries?: number
  abis?: string[]
  dex?: string[]
  so?: string[]
  classFiles?: number
  innerApks?: string[]
  appBundles?: number
  infoPlist?: Record<string, unknown>
  executable?: string
  frameworks?: string[]
  plugins?: string[]
  macho?: MachoTruth[]
  provision?: ProvisionTruth
}

interface MachoTruth {
  cpu: string
  filetype: number
  flags: string
  PIE: boolean
  allowStackExecution: boolean
  noHeapExecution: boolean
  dylibs: string[]
  rpaths: string[]
  encrypted: boolean
  codeSignature: boolean
  symbols: number
  stackCanary: boolean
  arc: boolean
  uuid: string
  minOS?: string
  sdk?: string
  csOff?: number
  csSize?: number
}

interface ProvisionTruth {
  Name?: string
  UUID?: string
  AppIDName?: string
  TeamName?: string
  TeamIdentifier?: string[]
  Platform?: string[]
  CreationDate?: string
  ExpirationDate?: string
  ProvisionedDevices?: string[]
  ProvisionsAllDevices?: boolean
  Entitlements?: unknown
  certSha256?: string[]
}

/** Packages that are refused, and why: what has no application, or one without Info.plist. */
const REFUSED: Readonly<Record<string, string>> = {
  'ipa/fastlane-no-app-bundle.ipa': 'ipa no-app',
  'ipa/fastlane-with_swift_twice.ipa': 'ipa no-info',
}
const folder = process.env['CORPUS_DIR']
const KINDS = new Set(['ipa', 'aab', 'aar', 'jar', 'so', 'apks', 'xapk'])

const truths = !folder
  ? []
  : readFileSync(join(folder, 'ground-truth.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Truth)
      .filter(({ type }) => KINDS.has(type))
      .flatMap((truth) => {
        const path = ['committed', 'packages']
          .map((part) => join(folder, part, truth.file))
          .find((name) => existsSync(name))
        return path ? [{ truth, path }] : []
      })

const sorted = (names: readonly string[]): string[] => [...names].sort()

function sliceOf(image: MachoImage): MachoTruth {
  return {
    cpu: image.cpu,
    filetype: image.fileType,
    flags: `0x${image.flags.toString(16)}`,
    PIE: image.pie,
    allowStackExecution: image.allowStackExecution,
    noHeapExecution: image.noHeapExecution,
    dylibs: image.dylibs.filter(({ kind }) => kind !== 'id').map(({ name }) => name),
    rpaths: image.rpaths.map(({ path }) => path),
    encrypted: (image.encryption?.cryptId ?? 0) !== 0,
    codeSignature: image.signatureAt !== null,
    symbols: image.symbols.count,
    stackCanary: image.stackCanary,
    arc: image.arc,
    uuid: image.uuid ?? '',
    ...(image.minOs && { minOS: image.minOs }),
    ...(image.sdk && { sdk: image.sdk }),
    ...(image.signatureAt && { csOff: image.signatureAt.offset - image.offset, csSize: image.signatureAt.size }),
  }
}

const seconds = (time: number | null) =>
  time === null ? undefined : new Date(time).toISOString().slice(0, 19).replace('T', ' ')

function compareIpa(truth: Truth, facts: IpaFacts): void {
  // The tools looked for Payload at the top alone; what lies elsewhere is read here, with a note.
  if (truth.infoPlist) expect(plistJson(facts.info.node)).toEqual(truth.infoPlist)
  else expect(facts.notes.map(({ key }) => key)).toContain('payload-place')
  if (truth.executable)
    expect(facts.executable ?? facts.notes.map(({ key }) => key)).toEqual(
      truth.macho?.length ? truth.executable : ['no-executable'],
    )
  const main = facts.binaries.find(({ role }) => role === 'main')
  const slices = main?.macho.images.map(sliceOf) ?? []
  for (const [i, wanted] of (truth.macho ?? []).entries()) {
    const known = Object.keys(slices[i] ?? {})
    expect(slices[i]).toEqual(Object.fromEntries(Object.entries(wanted).filter(([key]) => known.includes(key))))
  }
  expect(slices).toHaveLength(truth.macho?.length ?? 0)
  const { provision } = facts
  if (!truth.provision) return
  expect(provision).not.toBeNull()
  const reported = {
    Name: provision!.name ?? undefined,
    UUID: provision!.uuid ?? undefined,
    AppIDName: provision!.appIdName ?? undefined,
    TeamName: provision!.teamName ?? undefined,
    TeamIdentifier: provision!.teamIds,
    Platform: provision!.platforms,
    CreationDate: seconds(provision!.created),
    ExpirationDate: seconds(provision!.expires),
    Entitlements: provision!.entitlements ? plistJson(provision!.entitlements) : undefined,
    ...(provision!.devices.length && { ProvisionedDevices: provision!.devices }),
    ...(provision!.allDevices && { ProvisionsAllDevices: true }),
    certSha256: provision!.certificates.map(({ fingerprints }) => fingerprints.sha256),
  }
  expect(reported).toEqual({ ...reported, ...truth.provision })
}

function compareArchive(truth: Truth, found: Package): void {
  const own = found.archives[0]
  if (truth.zipEntries !== undefined) expect(own?.zip.byName.size).toBe(truth.zipEntries)
  const inner = found.kind === 'apks'
  if (truth.dex && !inner)
    expect(sorted(found.code.filter(({ entry }) => entry.endsWith('.dex')).map(({ entry }) => entry))).toEqual(
      sorted(truth.dex),
    )
  if (truth.so?.length) expect(sorted(found.native.map(({ entry }) => entry))).toEqual(sorted(truth.so))
  if (truth.abis && !inner) expect(sorted([...new Set(found.native.map(({ abi }) => abi))])).toEqual(sorted(truth.abis))
  if (truth.innerApks?.length)
    expect(sorted(found.archives.slice(1).map(({ prefix }) => prefix.slice(0, -2)))).toEqual(sorted(truth.innerApks))
  if (found.kind === 'jar') expect(found.code.length).toBeLessThanOrEqual(truth.classFiles ?? 0)
  expect(found.notes).toEqual([])
}

describe.skipIf(!folder)('corpus: packages that are no APK', () => {
  test.each(truths.map((item) => [item.truth.file, item] as const))(
    'the package %s is read as expected or refused',
    (file, { truth, path }) => {
      const bytes = new Uint8Array(readFileSync(path))
      let found: Package
      try {
        found = readPackage(bytes, file)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        expect(`${error.format} ${error.key}`).toBe(REFUSED[file])
        return
      }
      expect(REFUSED[file]).toBeUndefined()
      expect(found.kind).toBe(truth.type === 'xapk' ? 'apks' : truth.type)
      if (found.kind === 'ipa') compareIpa(truth, found.facts)
      else compareArchive(truth, found)
    },
  )
})
