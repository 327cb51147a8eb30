import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FormatError } from '#engines/bytes/format-error.ts'
import { MOST_KEY_BYTES } from '#engines/keystore/open-key-store.ts'
import { packageKind } from '#engines/package/read-package.ts'
import { judgeJar } from '#engines/signing/judge-jar.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { positionIn, readLineage } from '#engines/signing/lineage.ts'
import { manifestVersions } from '#engines/signing/manifest-versions.ts'
import {
  type RemovedSignatures,
  type Rotation,
  SIGNING_SCHEMES,
  type SigningScheme,
  signApkOnThreads,
} from '#engines/signing/sign-apk.ts'
import { signJar } from '#engines/signing/sign-jar.ts'
import { SDK, type SigningIssue } from '#engines/signing/signing-facts.ts'
import { ownCertificate, type SigningKey } from '#engines/signing/signing-key.ts'
import { extendLineage, readLineageFile, writeLineageFile } from '#engines/signing/write-lineage.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { readWhole } from './open-file.ts'
import { OutputFile, refuseReplacing } from './output-file.ts'
import { printFailure } from './print-failure.ts'
import { printable } from './printable.ts'
import { keyPasswords, readSigningKey } from './signing-key.ts'
import { UsageError } from './usage-error.ts'

export const SIGN_USAGE =
  'appwarden sign IN --out OUT --key KEYSTORE [--alias ALIAS] [--scheme v1,v2,v3,v4] [--min-sdk N] [--cert FILE] [--format text|json]\n' +
  '  after changes of keys, the oldest first: [--old-key KEYSTORE [--old-alias ALIAS]]… [--lineage FILE] [--lineage-out FILE] [--rotation-min-sdk N]\n' +
  'passwords: APPWARDEN_KEY_PASSWORD of the key store, APPWARDEN_KEY_ALIAS_PASSWORD of the key where it has its own,\n' +
  '  APPWARDEN_OLD_KEY_PASSWORD of the key store of the older key'

interface Arguments {
  readonly input: string
  readonly out: string
  readonly key: string
  readonly alias: string | undefined
  readonly cert: string | undefined
  readonly schemes: ReadonlySet<SigningScheme>
  /** Whether the schemes were given, and are not the default. */
  readonly chosen: boolean
  readonly minSdk: number | undefined
  /** Older keys, the oldest first. */
  readonly old: readonly { readonly key: string; readonly alias: string | undefined }[]
  readonly lineage: string | undefined
  readonly lineageOut: string | undefined
  readonly rotationMinSdk: number
  readonly format: 'text' | 'json'
}

/** What `sign` has done, as it prints it. */
interface Report {
  out: string
  bytes: number
  schemes: string[]
  minSdk?: number
  /** Subjects of the lineage, oldest first, and from which version on the newest key counts. */
  rotation?: { minSdk: number; lineage: string[] }
  certificate: { subject: string; sha256: string; notAfter: string }
  removed: { files: readonly string[]; blocks: string[]; sourceStamp: boolean }
  skipped: { option: string; reason: string }[]
  notes: string[]
}

/**
 * `appwarden sign`: signs an APK (v1 to v4) or a bundle, library or JAR (JAR signature). The output is written under a temporary name,
 * verified, then renamed. Answers the exit code: 0 done, 1 done without an option that does not apply, 2 refused or not readable.
 */
export async function signCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: number,
  createdBy: string,
  print: (text: string) => void,
): Promise<number> {
  try {
    const asked = readArguments(args)
    const { out, lineageOut, cert, old } = asked
    const outputs = [out, `${out}.idsig`, ...(lineageOut === undefined ? [] : [lineageOut])]
    refuseReplacing(outputs, [asked.key, ...(cert === undefined ? [] : [cert]), ...old.map((one) => one.key)])
    const passwords = keyPasswords(env)
    const { key, alias } = readSigningKey({ file: asked.key, alias: asked.alias, certificates: asked.cert, passwords })
    const rotation = rotationOf(asked, key, env['APPWARDEN_OLD_KEY_PASSWORD'] ?? passwords.store)
    const report = await signFile({ ...asked, rotation }, key, alias, createdBy)
    noteValidity(key, now, report)
    print(asked.format === 'json' ? JSON.stringify(report, null, 2) : textOf(report))
    return report.skipped.length ? 1 : 0
  } catch (error) {
    return printFailure(error, SIGN_USAGE, print)
  }
}

function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args)
  const [input, ...more] = positionals
  if (input === undefined || more.length) throw new UsageError('One package is wanted')
  const { out, key, alias, cert, format } = values
  if (out === undefined || key === undefined) throw new UsageError('--out and --key are needed')
  if (format !== 'text' && format !== 'json') throw new UsageError(`Unknown format: ${format}`)
  for (const name of ['min-sdk', 'rotation-min-sdk'] as const)
    if (values[name] !== undefined && !/^\d{1,5}$/.test(values[name]))
      throw new UsageError(`--${name} takes a version number`)
  const minSdk = values['min-sdk']
  const old = values['old-key'] ?? []
  const needsOld = (['old-alias', 'lineage', 'lineage-out', 'rotation-min-sdk'] as const).find(
    (name) => values[name] !== undefined,
  )
  if (!old.length && needsOld) throw new UsageError(`--${needsOld} needs --old-key`)
  const names = (values.scheme ?? 'v1,v2,v3').split(',').map((name) => name.trim())
  const unknown = names.find((name) => !SIGNING_SCHEMES.includes(name as SigningScheme))
  if (unknown !== undefined) throw new UsageError(`Unknown scheme: ${unknown}`)
  return {
    input,
    out,
    key,
    alias,
    cert,
    schemes: new Set(names as SigningScheme[]),
    chosen: values.scheme !== undefined,
    minSdk: minSdk === undefined ? undefined : Number(minSdk),
    old: old.map((file, i) => ({ key: file, alias: values['old-alias']?.[i] })),
    lineage: values.lineage,
    lineageOut: values['lineage-out'],
    rotationMinSdk: Number(values['rotation-min-sdk'] ?? SDK.t),
    format,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        key: { type: 'string' },
        alias: { type: 'string' },
        cert: { type: 'string' },
        scheme: { type: 'string' },
        'min-sdk': { type: 'string' },
        'old-key': { type: 'string', multiple: true },
        'old-alias': { type: 'string', multiple: true },
        lineage: { type: 'string' },
        'lineage-out': { type: 'string' },
        'rotation-min-sdk': { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** The first of the older keys and the proof that each gave its place to the next one; steps that no file gives are made. */
function rotationOf(asked: Arguments, key: SigningKey, password: string): Rotation | undefined {
  const { old, lineage: file, rotationMinSdk: minSdk } = asked
  const older = old.map(
    (one) => readSigningKey({ file: one.key, alias: one.alias, passwords: { store: password } }).key,
  )
  const [first] = older
  if (!first) return undefined
  let lineage = file === undefined ? undefined : readLineageFile(readWhole(file, MOST_KEY_BYTES))
  const isIn = (one: SigningKey) => lineage && positionIn(readLineage(lineage), ownCertificate(one)) >= 0
  older.forEach((from, i) => {
    const to = older[i + 1] ?? key
    if (!isIn(to)) lineage = extendLineage(lineage, from, to)
  })
  return lineage && { first, lineage, minSdk }
}

interface Request extends Arguments {
  readonly rotation: Rotation | undefined
}

async function signFile(asked: Request, key: SigningKey, alias: string, createdBy: string): Promise<Report> {
  const bytes = readWhole(asked.input)
  const kind = packageKind(bytes, asked.input)
  if (kind === 'apk') return signAndroid(asked, bytes, key, alias, createdBy)
  if (kind === 'aab' || kind === 'jar' || kind === 'aar') return signLibrary(asked, bytes, key, alias, createdBy)
  throw new FormatError(
    'signing',
    'kind',
    -1,
    `${kind ?? 'this file'} is not signed: an APK, AAB, AAR or JAR is wanted`,
  )
}

async function signAndroid(
  asked: Request,
  bytes: Uint8Array,
  key: SigningKey,
  alias: string,
  createdBy: string,
): Promise<Report> {
  const { schemes, out, rotation } = asked
  const zip = readZip(bytes)
  const minSdk = asked.minSdk ?? manifestVersions(zip)?.minSdk
  if (minSdk === undefined) throw new FormatError('signing', 'manifest', -1, 'the package has no AndroidManifest.xml')
  const signed = await signApkOnThreads(zip, { key, alias, schemes, minSdk, createdBy, ...(rotation && { rotation }) })
  const { idsig } = signed
  const files = [new OutputFile(out, signed.pieces)]
  try {
    if (idsig) files.push(new OutputFile(`${out}.idsig`, [idsig]))
    const written = readFileSync(files[0]!.temporary)
    const certificate = ownCertificate(key)
    const rotated = rotation !== undefined && rotation.minSdk >= SDK.t
    refuseIssues(judgeSigned(written, { schemes, minSdk, certificate, rotated, ...(idsig && { idsig }) }))
    if (rotation && asked.lineageOut !== undefined)
      files.push(new OutputFile(asked.lineageOut, [writeLineageFile(rotation.lineage)]))
    for (const file of files) file.keep()
  } finally {
    for (const file of files) file.discard()
  }
  const report = reportOf(out, signed.size, key, [...schemes].sort())
  report.minSdk = minSdk
  if (rotation) {
    const lineage = readLineage(rotation.lineage).map((node) => node.certificate.subject)
    report.rotation = { minSdk: rotation.minSdk, lineage }
  }
  report.removed = removedOf(signed.removed)
  if (!idsig && existsSync(`${out}.idsig`)) {
    rmSync(`${out}.idsig`)
    report.notes.push(`${out}.idsig belonged to an earlier package and is deleted`)
  }
  return report
}

function signLibrary(asked: Request, bytes: Uint8Array, key: SigningKey, alias: string, createdBy: string): Report {
  const { schemes, out, rotation } = asked
  if (!schemes.has('v1'))
    throw new FormatError('signing', 'scheme', -1, 'a bundle, library or JAR takes scheme v1 (JAR signing) alone')
  const signed = signJar(readZip(bytes), { key, alias, createdBy })
  const file = new OutputFile(out, signed.pieces)
  try {
    refuseIssues(judgeJar(readFileSync(file.temporary), key))
    file.keep()
  } finally {
    file.discard()
  }
  const report = reportOf(out, signed.size, key, ['v1'])
  report.removed = { files: signed.removed, blocks: [], sourceStamp: false }
  for (const scheme of schemes)
    if (scheme !== 'v1' && asked.chosen)
      report.skipped.push({ option: scheme, reason: 'a bundle, library or JAR takes scheme v1 alone' })
  if (rotation) report.skipped.push({ option: 'old-key', reason: 'a JAR signature knows no lineage' })
  return report
}

/** Our verifier has the last word: what it does not take is not kept. */
export function refuseIssues(issues: readonly SigningIssue[]): void {
  const [first] = issues
  if (!first) return
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new FormatError(
    'signing',
    'judged',
    -1,
    `the signed package does not verify: ${first.key}: ${first.message}${more}`,
  )
}

function reportOf(out: string, bytes: number, key: SigningKey, schemes: string[]): Report {
  const { subject, fingerprints, notAfter } = ownCertificate(key)
  return {
    out,
    bytes,
    schemes,
    certificate: { subject, sha256: fingerprints.sha256, notAfter: new Date(notAfter).toISOString() },
    removed: { files: [], blocks: [], sourceStamp: false },
    skipped: [],
    notes: [],
  }
}

function removedOf({ files, pairs, stamp }: RemovedSignatures): Report['removed'] {
  return { files, blocks: pairs.map((id) => `0x${id.toString(16).padStart(8, '0')}`), sourceStamp: stamp }
}

/** Android does not ask whether a certificate is valid today; stores do. */
function noteValidity(key: SigningKey, now: number, report: Report): void {
  const { notBefore, notAfter } = ownCertificate(key)
  if (notAfter < now) report.notes.push('the certificate has expired')
  if (notBefore > now) report.notes.push('the certificate is not valid yet')
}

function textOf({ out, bytes, schemes, rotation, certificate, removed, skipped, notes }: Report): string {
  const { files, blocks, sourceStamp } = removed
  const lines: [string, string][] = [
    ['signed', printable(out)],
    ['size', `${bytes} bytes`],
    ['schemes', `${schemes.join(', ')}, verified`],
    ['signer', printable(certificate.subject)],
    ['SHA-256', certificate.sha256],
    ...(rotation
      ? [
          ['lineage', `${printable(rotation.lineage.join(' -> '))}, from version ${rotation.minSdk} on`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(files.length ? [['removed', printable(files.join(', '))] as [string, string]] : []),
    ...(blocks.length ? [['removed', `parts of the signing block: ${blocks.join(', ')}`] as [string, string]] : []),
    ...(sourceStamp ? [['removed', 'the source stamp and the file with its digest'] as [string, string]] : []),
    ...skipped.map(({ option, reason }): [string, string] => ['skipped', `${option}: ${reason}`]),
    ...notes.map((note): [string, string] => ['note', printable(note)]),
  ]
  return lines.map(([name, value]) => `${name.padEnd(9)} ${value}`).join('\n')
}
