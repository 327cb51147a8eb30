import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FormatError } from '#engines/bytes/format-error.ts'
import type { DexModel } from '#engines/dex-edit/dex-model.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { comparePackages } from '#engines/harden/compare-packages.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { RUNTIME_CHECKS } from '#engines/harden/runtime-checks.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { packageKind, readPackage } from '#engines/package/read-package.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { manifestVersions } from '#engines/signing/manifest-versions.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ZipArchive } from '#engines/zip/zip-facts.ts'
import { assembleSmali } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { stubSuperclasses } from '#tests/host-runtime/stub-superclasses.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { type MadeKey, makeKey } from '#tests/support/apk/made-key.ts'
import { classText } from '#tests/support/dex-text.ts'
import { hardenDex } from '#tests/support/harden-dex.ts'

/** The whole command on packages that were not made here: CORPUS_DIR with the folders packages/ and committed/. */
const corpus = process.env['CORPUS_DIR']
const has = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined
const tools = {
  apksigner: has('apksigner', '--version'),
  aapt: has('aapt', 'version'),
  dexdump: has('dexdump'),
  host: !missingForHostRuntime(),
}
const SCHEMES: ReadonlySet<SigningScheme> = new Set(['v1', 'v2', 'v3'])
/** What a package may be refused for: it is no APK, is packed, or no device takes it. */
const REASONS =
  /^(harden (kind|split|packed|container|overflow|manifest)|signing (archive|entry-name)|zip |manifest |axml |package |dex |arsc )/
const RUN = { encoding: 'utf8', maxBuffer: 1 << 30 } as const

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return filesOf(path)
      return name.endsWith('.apk') ? [path] : []
    })
    .sort()
}

const refusalOf = (error: unknown): string => {
  if (error instanceof FormatError) return `${error.format} ${error.key}: ${error.message}`
  throw error
}

// No retry: a run takes most of an hour, and what differs once differs again.
describe.skipIf(!corpus)('packages of the corpus, reinforced', { timeout: 3_600_000, retry: 0 }, () => {
  const root = corpus ?? ''
  let folder: string
  let signer: MadeKey
  const packages: string[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'corpus-harden-'))
    signer = makeKey('corpus', 'rsa')
    for (const part of ['packages', 'committed']) packages.push(...filesOf(join(root, part)))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const dexFiles = (zip: ZipArchive) => zip.entries.filter(({ name }) => /^classes\d*\.dex$/.test(name))
  const dump = (bytes: Uint8Array, ...options: string[]) => {
    const file = join(folder, 'one.dex')
    writeFileSync(file, bytes)
    return spawnSync('dexdump', [...options, file], RUN)
  }

  test('dex files that are written without a change say the same, to our readers and to dexdump', () => {
    const counts = { rewritten: 0, classes: 0, refused: 0, dexdump: 0 }
    const wrong: string[] = []
    for (const file of packages) {
      let zip: ZipArchive
      try {
        zip = readZip(readFileSync(file))
      } catch (error) {
        refusalOf(error)
        continue
      }
      for (const entry of dexFiles(zip)) {
        let models: DexModel[]
        let again: DexModel[]
        let written: Uint8Array
        let bytes: Uint8Array
        try {
          bytes = entryBytes(zip, entry)
          models = readDexModels(bytes)
          written = writeDexFiles(models[0]!)[0]!
          again = readDexModels(written)
        } catch (error) {
          const reason = refusalOf(error)
          // What dexdump takes, which verifies files, is to be taken here too.
          if (tools.dexdump && dumpIsGood(zip, entry)) wrong.push(`${file} ${entry.name}: ${reason}`)
          counts.refused++
          continue
        }
        const [before, after] = [models[0]!, again[0]!]
        if (before.classes.length !== after.classes.length) wrong.push(`${file} ${entry.name}: classes`)
        before.classes.forEach((one, i) => {
          if (classText(before, one) !== classText(after, after.classes[i]!))
            wrong.push(`${file} ${entry.name} ${before.descriptor(one.type)}`)
        })
        counts.rewritten++
        counts.classes += before.classes.length
        if (!tools.dexdump || dump(bytes).status !== 0) continue
        if (dump(written).status !== 0) wrong.push(`${file} ${entry.name}: dexdump refuses it`)
        counts.dexdump++
      }
    }
    for (const line of wrong) console.log(line)
    console.log(`dex files written without a change: ${JSON.stringify(counts)}`)
    expect(wrong).toEqual([])
    expect(counts.rewritten).toBeGreaterThan(0)
  })

  const dumpIsGood = (zip: ZipArchive, entry: Parameters<typeof entryBytes>[1]): boolean => {
    try {
      return dump(entryBytes(zip, entry)).status === 0
    } catch (error) {
      refusalOf(error)
      return false
    }
  }

  /** What ART's verifier rejects below stubs of Android: with a compiler's code all of it is because of the stubs. */
  const rejected = async (code: readonly Uint8Array[]) => {
    const { refused, classes, hard } = await verifyOnHost([...code, assembleSmali(stubSuperclasses(code))], 600_000)
    return { refused, classes, hard: hard.map((one) => `${one.class} ${one.method}`).sort() }
  }

  test.skipIf(!tools.host)(
    'changes of all code, libraries too, are verified by ART as the code was before',
    async () => {
      const counts = { packages: 0, classes: 0, texts: 0, predicates: 0, hard: 0 }
      const wrong: string[] = []
      for (const file of packages) {
        try {
          const zip = readZip(readFileSync(file))
          const code = dexFiles(zip).map((entry) => entryBytes(zip, entry))
          if (!code.length) continue
          const changed = code.flatMap((bytes, i) => {
            const { files, log } = hardenDex(
              bytes,
              { texts: true, predicates: true, debug: true, logs: ['v', 'd', 'i', 'w', 'e', 'println'] },
              { seed: i + 1, withHelpers: i === 0 },
            )
            for (const { text, count } of log.lines) {
              if (text === 'texts hidden') counts.texts += count
              if (text === 'opaque predicates added') counts.predicates += count
            }
            return files
          })
          const before = await rejected(code)
          if (before.refused !== undefined) continue
          const after = await rejected(changed)
          counts.packages++
          counts.classes += after.classes
          counts.hard += before.hard.length
          if (JSON.stringify(after.hard) !== JSON.stringify(before.hard) || after.refused !== undefined)
            wrong.push(`${file}: ${JSON.stringify([before.hard, after.hard, after.refused]).slice(0, 2000)}`)
        } catch (error) {
          refusalOf(error)
        }
      }
      for (const line of wrong) console.log(line)
      console.log(`all code changed: ${JSON.stringify(counts)}`)
      expect(wrong).toEqual([])
    },
  )

  test.each([
    ['code readable', false],
    ['code encrypted', true],
  ])(
    'with every option, packages are verified by our verifier and apksigner, and read by aapt and dexdump as before: %s',
    async (_, dexProtection) => {
      const counts = {
        packages: packages.length,
        hardened: 0,
        encrypted: 0,
        apksigner: 0,
        aapt: 0,
        dexdump: 0,
        host: 0,
        classes: 0,
      }
      const refused = new Map<string, number>()
      const options = new Map<string, { packages: number; applied: number; skipped: number }>()
      const wrong: string[] = []
      for (const file of packages) {
        const name = relative(root, file)
        const input = new Uint8Array(readFileSync(file))
        let bytes: Buffer
        let open: Uint8Array | undefined
        let isEncrypted: boolean
        let minSdk: number
        try {
          if (packageKind(input, name) !== 'apk') continue
          const hardened = await hardenApk(input, name, {
            dexProtection,
            ...{
              thirdPartySoBan: [],
              soProtection: true,
              antiDecompile: true,
              zipCheck: true,
              manifest: true,
              antiHijack: true,
            },
            ...{ logLevels: ['v', 'd', 'i', 'println'], screens: ['**'] },
            ...{ resources: ['assets/**', 'res/raw/**'], certificates: true },
            checks: Object.fromEntries(RUNTIME_CHECKS.map((check) => [check, 'exit'])),
            certificate: signer.entry.certificates[0]!.fingerprints.sha256,
            riskControl: { server: 'https://console.example.com', enrolmentKey: 'aw_ek_corpus', closed: false },
            ...{ keep: readKeepRules(''), seed: Buffer.from(name.padEnd(32).slice(-32)) },
          })
          const { pieces, lines } = hardened
          isEncrypted = lines.some(({ option, outcome }) => option === 'dex_protection' && outcome === 'applied')
          open = hardened.open && new Uint8Array(Buffer.concat(hardened.open()))
          const zip = readZip(Buffer.concat(pieces))
          minSdk = manifestVersions(zip)?.minSdk ?? 1
          const signed = signApk(zip, {
            ...{ key: signer.key, alias: 'corpus', schemes: SCHEMES },
            minSdk,
            createdBy: 'test',
          })
          bytes = Buffer.concat(signed.pieces)
          const issues = judgeSigned(bytes, { schemes: SCHEMES, minSdk, certificate: signer.entry.certificates[0]! })
          if (issues.length) wrong.push(`${name}: ${issues[0]!.key}`)
          for (const option of new Set(lines.map((line) => line.option))) {
            const sum = options.get(option) ?? { packages: 0, applied: 0, skipped: 0 }
            const of = lines.filter((line) => line.option === option)
            const total = (outcome: string) =>
              of.filter((line) => line.outcome === outcome).reduce((all, { count }) => all + count, 0)
            sum.packages += total('applied') ? 1 : 0
            sum.applied += total('applied')
            sum.skipped += total('skipped')
            options.set(option, sum)
          }
        } catch (error) {
          const reason = refusalOf(error)
          if (!REASONS.test(reason)) wrong.push(`${name}: ${reason}`)
          const key = reason.replace(/:.*/s, '')
          refused.set(key, (refused.get(key) ?? 0) + 1)
          continue
        }
        counts.hardened++
        if (isEncrypted) counts.encrypted++
        const [original, result] = [readPackage(input, name), readPackage(new Uint8Array(bytes), name)]
        const readable = (open ? readPackage(open, name) : result) as AndroidPackage
        const compared = comparePackages(original as AndroidPackage, result as AndroidPackage, readable)
        for (const { check, passed, detail } of compared.checks) if (!passed) wrong.push(`${name}: ${check}: ${detail}`)
        const out = join(folder, 'hardened.apk')
        writeFileSync(out, bytes)
        if (tools.apksigner) {
          const { status, stdout, stderr } = spawnSync(
            'apksigner',
            ['verify', '--min-sdk-version', String(Math.max(minSdk, 16)), out],
            RUN,
          )
          if (status !== 0) wrong.push(`${name}: apksigner: ${(stderr + stdout).slice(0, 300)}`)
          counts.apksigner++
        }
        if (tools.aapt) {
          const badging = (path: string) => spawnSync('aapt', ['dump', 'badging', path], RUN)
          const [before, after] = [badging(file), badging(out)]
          const firstLine = (text: string) => text.split('\n')[0]
          if (before.status === 0) {
            counts.aapt++
            if (after.status !== 0 || firstLine(before.stdout) !== firstLine(after.stdout)) wrong.push(`${name}: aapt`)
          }
        }
        const code = (from: Uint8Array) => {
          const zip = readZip(from)
          return dexFiles(zip).map((entry) => entryBytes(zip, entry))
        }
        if (tools.host) {
          const before = await rejected(code(input))
          const after = await rejected(code(open ?? bytes))
          if (before.refused === undefined) {
            counts.host++
            counts.classes += after.classes
            if (JSON.stringify(after.hard) !== JSON.stringify(before.hard) || after.refused !== undefined)
              wrong.push(
                `${name}: host verifier: ${JSON.stringify([before.hard, after.hard, after.refused]).slice(0, 2000)}`,
              )
          }
        }
        if (!tools.dexdump) continue
        const [source, written] = [readZip(input), readZip(bytes)]
        for (const entry of dexFiles(written)) {
          const old = source.byName.get(entry.name)
          if (old && !dumpIsGood(source, old)) continue
          counts.dexdump++
          const { status, stderr } = dump(entryBytes(written, entry))
          if (status !== 0) wrong.push(`${name} ${entry.name}: dexdump: ${stderr.slice(0, 300)}`)
        }
      }
      for (const line of wrong) console.log(line)
      console.log(`reinforced: ${JSON.stringify(counts)}`)
      console.log(`refused: ${JSON.stringify(Object.fromEntries([...refused].sort()))}`)
      for (const [option, { packages: of, applied, skipped }] of [...options].sort())
        console.log(`| \`${option}\` | ${of} | ${applied} | ${skipped} |`)
      expect(wrong).toEqual([])
      expect(counts.hardened).toBeGreaterThan(0)
      expect(counts.encrypted > 0).toBe(dexProtection)
    },
  )
})
