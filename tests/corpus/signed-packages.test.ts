import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readArsc } from '#engines/arsc/read-arsc.ts'
import { renameResourcePaths } from '#engines/arsc/rename-paths.ts'
import { AxmlEditor } from '#engines/axml/axml-editor.ts'
import { axmlText } from '#engines/axml/axml-text.ts'
import { readAxml } from '#engines/axml/read-axml.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { openKeyStore } from '#engines/keystore/open-key-store.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { manifestVersions } from '#engines/signing/manifest-versions.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { signJar } from '#engines/signing/sign-jar.ts'
import { verifyJar } from '#engines/signing/verify-jar.ts'
import { extendLineage, isLineageFile, readLineageFile, writeLineageFile } from '#engines/signing/write-lineage.ts'
import { copyEntries } from '#engines/zip/copy-entries.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ZipArchive, ZipEntry } from '#engines/zip/zip-facts.ts'
import { ZipWriter } from '#engines/zip/zip-writer.ts'
import { type MadeKey, makeKey } from '#tests/support/apk/made-key.ts'

/** The product's writers on packages that were not made here: CORPUS_DIR with the folders packages/ and committed/. */
const corpus = process.env['CORPUS_DIR']
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const apksignerThere = has('apksigner', '--version')
const aaptThere = has('aapt', 'version')
/** Lowest versions that each signed package is verified for: before SHA-256, before v2, before v3, and v3. */
const LOWEST = [16, 18, 21, 24, 28]
const SCHEMES: readonly SigningScheme[] = ['v1', 'v2', 'v3']
/** Reasons for which a package may be refused: what devices do not take, or read differently from other tools. */
const REASONS = /^(signing archive|signing entry-name|zip |manifest |axml )/

/** An archive without a file to sign, and one whose folders in META-INF hold what is read as signatures: the command refuses both. */
const NEVER_VERIFIED = new Set(['committed/apksig/v1-only-empty.apk', 'committed/odd/apktool-issue1589.apk'])

function filesOf(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return filesOf(path, pattern)
      return pattern.test(name) ? [path] : []
    })
    .sort()
}

describe.skipIf(!corpus)('packages of the corpus, rewritten and signed', { timeout: 1_800_000 }, () => {
  const root = corpus ?? ''
  let folder: string
  let signer: MadeKey
  const packages: string[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'corpus-sign-'))
    signer = makeKey('corpus', 'rsa')
    for (const part of ['packages', 'committed']) packages.push(...filesOf(join(root, part), /\.apk$/))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const read = (file: string): ZipArchive | string => {
    try {
      return readZip(readFileSync(file))
    } catch (error) {
      if (error instanceof FormatError) return error.message
      throw error
    }
  }

  test('a rewrite that changes nothing gives the same entries, and aapt reads the same', () => {
    const counts = { rewritten: 0, unreadable: 0, refused: 0, aapt: 0 }
    for (const file of packages) {
      const zip = read(file)
      if (typeof zip === 'string') {
        counts.unreadable++
        continue
      }
      const pieces: Uint8Array[] = []
      try {
        const writer = new ZipWriter((bytes) => pieces.push(bytes))
        copyEntries(zip, writer)
        writer.finish(zip.comment)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        counts.refused++
        continue
      }
      const bytes = Buffer.concat(pieces)
      expect([file, decoded(readZip(bytes))]).toEqual([file, decoded(zip)])
      counts.rewritten++
      if (!aaptThere || relative(root, file).includes('apksig')) continue
      const copy = join(folder, 'rewritten.apk')
      writeFileSync(copy, bytes)
      const badging = (path: string) =>
        spawnSync('aapt', ['dump', 'badging', path], { encoding: 'utf8', maxBuffer: 1 << 28 })
      const [before, after] = [badging(file), badging(copy)]
      // What aapt does not take, such as code before the archive, is mended by the rewrite.
      if (before.status !== 0) continue
      expect([file, after.status, after.stdout]).toEqual([file, before.status, before.stdout])
      counts.aapt++
    }
    console.log(`no-op rewrite: ${JSON.stringify(counts)} of ${packages.length}`)
    expect(counts.rewritten).toBeGreaterThan(0)
  })

  test('every package that can be signed is verified by our verifier and by apksigner for each lowest version', () => {
    const refusals = new Map<string, number>()
    const wrong: string[] = []
    let signed = 0
    let asked = 0
    for (const file of packages) {
      const zip = read(file)
      if (typeof zip === 'string') continue
      const vector = relative(root, file).includes('apksig')
      const out = join(folder, 'signed.apk')
      for (const minSdk of vector ? [undefined] : [undefined, ...LOWEST]) {
        const outcome = sign(zip, out, signer, minSdk)
        if ('refused' in outcome) {
          if (!REASONS.test(outcome.refused)) wrong.push(`${file}: ${outcome.refused}`)
          if (minSdk === undefined) refusals.set(outcome.refused, (refusals.get(outcome.refused) ?? 0) + 1)
          break
        }
        signed++
        const known = NEVER_VERIFIED.has(relative(root, file))
        if (outcome.issues && !known) wrong.push(`${file} from ${outcome.minSdk}: ${outcome.issues}`)
        // What the command refuses is not asked: apksigner passes over v1 from version 24 on.
        if (!apksignerThere || known) continue
        asked++
        const said = spawnSync('apksigner', ['verify', '--min-sdk-version', String(outcome.minSdk), out], {
          encoding: 'utf8',
        })
        if ((said.status === 0) !== (outcome.issues === ''))
          wrong.push(`${file} from ${outcome.minSdk}: ${said.stdout}${said.stderr}`.slice(0, 400))
      }
    }
    console.log(`signed ${signed}, asked apksigner ${asked}, refused ${JSON.stringify([...refusals])}`)
    expect(wrong).toEqual([])
    expect(signed).toBeGreaterThan(0)
  })

  test('manifest and resource table, edited without a change, read the same; aapt takes them with changes', () => {
    const counts = { manifests: 0, tables: 0, refused: 0, aapt: 0 }
    for (const file of packages) {
      const zip = read(file)
      if (typeof zip === 'string') continue
      const contents = new Map<string, Uint8Array>()
      for (const [name, edit] of Object.entries(EDITS)) {
        const bytes = contentOrNothing(zip, name)
        if (!bytes) continue
        try {
          const { same, changed } = edit(bytes)
          expect([file, same[1]]).toEqual([file, same[0]])
          contents.set(name, changed)
          counts[name === 'AndroidManifest.xml' ? 'manifests' : 'tables']++
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
          counts.refused++
        }
      }
      if (!aaptThere || relative(root, file).includes('apksig') || contents.size < 2) continue
      const original = spawnSync('aapt', ['dump', 'badging', file], { encoding: 'utf8', maxBuffer: 1 << 28 })
      if (original.status !== 0) continue
      const pieces: Uint8Array[] = []
      const writer = new ZipWriter((bytes) => pieces.push(bytes))
      for (const [name, bytes] of contents) writer.add(name, bytes, { deflate: false })
      writer.finish()
      const copy = join(folder, 'edited.apk')
      writeFileSync(copy, Buffer.concat(pieces))
      const dump = (what: string[]) => spawnSync('aapt', ['dump', ...what], { encoding: 'utf8', maxBuffer: 1 << 28 })
      const tree = dump(['xmltree', copy, 'AndroidManifest.xml'])
      expect([file, tree.status, tree.stdout.includes('appwarden.test')]).toEqual([file, 0, true])
      const resources = dump(['resources', copy])
      expect([file, resources.status, specs(resources.stdout)]).toEqual([
        file,
        0,
        specs(dump(['resources', file]).stdout),
      ])
      counts.aapt++
    }
    console.log(`edited: ${JSON.stringify(counts)}`)
    expect(counts.manifests).toBeGreaterThan(0)
  })

  test('bundles, libraries and JARs take a JAR signature', () => {
    const wrong: string[] = []
    let count = 0
    for (const file of filesOf(join(root, 'packages'), /\.(aab|aar|jar)$/)) {
      const zip = read(file)
      if (typeof zip === 'string') continue
      const { pieces } = signJar(zip, { key: signer.key, alias: 'corpus', createdBy: 'test' })
      const { state, errors } = verifyJar(readZip(Buffer.concat(pieces)))
      count++
      if (state !== 'verified') wrong.push(`${file}: ${state} ${errors[0]?.key}`)
    }
    console.log(`JAR signatures: ${count}`)
    expect(wrong).toEqual([])
  })

  test('the keys of AOSP are read, and its lineages are read, extended and written', () => {
    const keysFolder = join(root, 'committed/apksig-keys')
    let count = 0
    for (const file of filesOf(keysFolder, /\.pk8$/)) {
      const certificates = readFileSync(file.replace(/pk8$/, 'x509.pem'))
      const { certificates: chain } = openKeyStore(readFileSync(file), { passwords: { store: '' }, certificates })
      expect(chain[0]!.subject.length).toBeGreaterThan(0)
      count++
    }
    for (const file of filesOf(keysFolder, /lineage/)) {
      const bytes = readFileSync(file)
      const invalid = file.includes('invalid')
      if (invalid) expect(() => readLineageFile(bytes)).toThrow(FormatError)
      else expect(Buffer.compare(writeLineageFile(readLineageFile(bytes)), bytes)).toBe(0)
      expect(isLineageFile(bytes)).toBe(!file.includes('magic'))
    }
    expect(extendLineage(undefined, signer.key, makeKey('next').key).length).toBeGreaterThan(0)
    console.log(`keys of AOSP: ${count}`)
    expect(count).toBeGreaterThan(0)
  })
})

const specs = (dump: string): number => dump.split('\n').filter((line) => line.includes('spec resource')).length

type Edit = (bytes: Uint8Array) => { same: [before: unknown, after: unknown]; changed: Uint8Array }
/** What is compared before and after a rewrite without change, and the bytes of one with changes. */
const EDITS: Readonly<Record<string, Edit>> = {
  'AndroidManifest.xml': (bytes) => {
    const editor = new AxmlEditor(bytes)
    const same: [string, string] = [axmlText(readAxml(bytes)), axmlText(readAxml(editor.write()))]
    const [application] = editor.childrenOf(editor.root, 'application')
    editor.addElement(application ?? editor.root, 'meta-data', [
      { name: 'name', value: 'appwarden.test' },
      { name: 'value', value: '值' },
    ])
    return { same, changed: editor.write() }
  },
  'resources.arsc': (bytes) => {
    const values = (table: Uint8Array) =>
      [...readArsc(table).all()].map(({ name, value }) => `${name} ${value?.type} ${value?.text ?? value?.data}`)
    const written = renameResourcePaths(bytes, () => undefined).bytes
    const changed = renameResourcePaths(bytes, (path) => (path.startsWith('res/') ? `r/${path.slice(4)}` : undefined))
    return { same: [values(bytes), values(written)], changed: changed.bytes }
  },
}

function contentOrNothing(zip: ZipArchive, name: string): Uint8Array | undefined {
  const entry = zip.byName.get(name)
  try {
    return entry && entryBytes(zip, entry)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** What a reader sees of an archive, in its order, with the digest of each content that can be read. */
function decoded(zip: ZipArchive): string[] {
  return zip.entries.map((entry) => {
    const { name, method, crc32, size, externalAttributes } = entry
    return [JSON.stringify(name), method, crc32, size, externalAttributes, contentOf(zip, entry)].join(' ')
  })
}

function contentOf(zip: ZipArchive, entry: ZipEntry): string {
  try {
    const bytes = entryBytes(zip, entry)
    return `${bytes.length} ${spreadSum(bytes)}`
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
}

function spreadSum(bytes: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < bytes.length; i++) sum = (Math.imul(sum, 31) + bytes[i]!) | 0
  return sum
}

type Outcome = { refused: string } | { minSdk: number; issues: string }

function sign(zip: ZipArchive, out: string, { key }: MadeKey, asked: number | undefined): Outcome {
  try {
    const versions = manifestVersions(zip)
    // As the command does, and apksigner.
    if (!versions) return { refused: 'manifest missing' }
    const minSdk = asked ?? versions.minSdk
    const schemes = new Set(SCHEMES)
    const { pieces } = signApk(zip, { key, alias: 'corpus', schemes, minSdk, createdBy: 'test' })
    const bytes = Buffer.concat(pieces)
    writeFileSync(out, bytes)
    const [issue] = judgeSigned(bytes, { schemes, minSdk, certificate: key.certificates[0]! })
    return { minSdk, issues: issue ? `${issue.key} ${issue.message}` : '' }
  } catch (error) {
    if (error instanceof FormatError) return { refused: `${error.format} ${error.key}` }
    throw error
  }
}
