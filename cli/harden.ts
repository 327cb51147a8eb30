import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { REINFORCE_OPTIONS, type ReinforceOption } from '#domain/reinforce-options.ts'
import {
  chosenOptions,
  missingSettings,
  type ReinforcePolicyFile,
  ReinforcePolicyFileSchema,
} from '#domain/reinforce-policy.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { judgeChannelRoom } from '#engines/harden/channel-room.ts'
import { compareBundles } from '#engines/harden/compare-bundles.ts'
import { HARDEN_KINDS, type HardenKind, hardenPackage, isHardenKind } from '#engines/harden/harden-package.ts'
import type { HardenedPackage } from '#engines/harden/harden-request.ts'
import { hardenText } from '#engines/harden/harden-texts.ts'
import type { HardenLine } from '#engines/harden/hardening.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { type OptionResult, optionResults, sumLines } from '#engines/harden/option-results.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { packageKind, readPackage } from '#engines/package/read-package.ts'
import { judgeJar } from '#engines/signing/judge-jar.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { manifestVersions } from '#engines/signing/manifest-versions.ts'
import { type SigningScheme, signApkOnThreads, signingEntries } from '#engines/signing/sign-apk.ts'
import { signJar } from '#engines/signing/sign-jar.ts'
import { ownCertificate, type SigningKey } from '#engines/signing/signing-key.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ZipArchive } from '#engines/zip/zip-facts.ts'
import { hardenRequest } from '#server/modules/reinforce-tasks/harden-request.ts'
import { readWhole } from './open-file.ts'
import { OutputFile, refuseReplacing } from './output-file.ts'
import { printFailure } from './print-failure.ts'
import { printable } from './printable.ts'
import { protectScriptsOf } from './protect-scripts.ts'
import { refuseIssues } from './sign.ts'
import { keyPasswords, readSigningKey } from './signing-key.ts'
import { UsageError } from './usage-error.ts'

export const HARDEN_USAGE =
  'appwarden harden IN --out OUT [--policy FILE] [--key KEYSTORE [--alias ALIAS]] [--seed HEX]\n' +
  '  [--enrolment-key KEY] [--format text|json]\n' +
  'password of the key store: APPWARDEN_KEY_PASSWORD; of the key where it has its own: APPWARDEN_KEY_ALIAS_PASSWORD'

const WANTED = HARDEN_KINDS.map((kind) => kind.toUpperCase()).join(', ')
interface KeyTexts {
  /** Noted without a key. */
  readonly unsigned?: string
  /** Why a key is refused. */
  readonly noKey?: string
}
const OF_LIBRARY: KeyTexts = {
  unsigned: 'the library is not signed: npx appwarden sign signs it',
  noKey: '--key does not apply to a library here: npx appwarden sign signs the result',
}
const KEY_TEXTS: Readonly<Record<HardenKind, KeyTexts>> = {
  apk: { unsigned: 'the package is not signed: no --key was given' },
  aab: { unsigned: 'the bundle is not signed: no --key was given, and a store takes signed ones alone' },
  aar: OF_LIBRARY,
  jar: OF_LIBRARY,
  so: { noKey: '--key does not apply to a native library alone: it has no signature' },
}
const MOST_PACKAGE_BYTES = 1024 * 2 ** 20
const MOST_POLICY_BYTES = 2 ** 20
const MOST_MINUTES = 15
const SCHEMES: ReadonlySet<SigningScheme> = new Set(['v1', 'v2', 'v3'])
/** Of bundles, which no device reads. */
const JAR_SCHEMES: ReadonlySet<SigningScheme> = new Set(['v1'])
/** Lines of one option that the text report shows. */
const MOST_LINES = 12

/** What is done without a policy file. */
const USUAL_POLICY = {
  format: 'appwarden.reinforce-policy',
  version: 1,
  name: 'usual',
  options: {
    log_removal: { on: true },
    anti_decompile: { on: true },
    zip_check: { on: true },
    manifest_protection: { on: true },
  },
}

interface Asked {
  readonly input: string
  readonly out: string
  readonly policy: ReinforcePolicyFile
  readonly key: string | undefined
  readonly alias: string | undefined
  readonly seed: Uint8Array
  /** With which the package may enrol at the server of the risk-control option; '' without one. */
  readonly enrolmentKey: string
  readonly format: 'text' | 'json'
}

interface Report {
  readonly out: string
  readonly bytes: { readonly before: number; readonly after: number }
  readonly policy: string
  /** Null without a key: Android installs the package only when it is signed. */
  readonly signed: { readonly schemes: readonly string[]; readonly subject: string; readonly sha256: string } | null
  readonly options: readonly OptionResult<ReinforceOption>[]
  readonly notes: readonly string[]
}

/**
 * `appwarden harden`: performs a reinforcement policy on a package, without a server. The output is written under a temporary name, read again
 * or verified, then renamed. Answers the exit code: 0 done, 1 done without an option of the policy, 2 unreadable or refused.
 */
export async function hardenCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
  createdBy: string,
  print: (text: string) => void,
): Promise<number> {
  try {
    const asked = readArguments(args)
    refuseReplacing([asked.out], asked.key === undefined ? [] : [asked.key])
    const signer =
      asked.key === undefined
        ? undefined
        : readSigningKey({ file: asked.key, alias: asked.alias, passwords: keyPasswords(env) })
    const report = await hardenFile(asked, signer, now, createdBy)
    print(asked.format === 'json' ? JSON.stringify(report, replaceTexts, 2) : textOf(report))
    return report.options.some(({ state }) => state === 'skipped' || state === 'not_built') ? 1 : 0
  } catch (error) {
    return printFailure(error, HARDEN_USAGE, print)
  }
}

function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parse(args)
  const [input, ...more] = positionals
  if (input === undefined || more.length) throw new UsageError('One package is wanted')
  const { out, key, alias, seed, format, 'enrolment-key': enrolmentKey } = values
  if (out === undefined) throw new UsageError('--out is needed')
  if (format !== 'text' && format !== 'json') throw new UsageError(`Unknown format: ${format}`)
  if (alias !== undefined && key === undefined) throw new UsageError('--alias needs --key')
  if (!/^(?:aw_ek_[\w-]{1,100})?$/.test(enrolmentKey))
    throw new UsageError('--enrolment-key takes a key that begins with aw_ek_')
  if (seed !== undefined && !/^[0-9a-f]{64}$/i.test(seed)) throw new UsageError('--seed takes 64 hexadecimal digits')
  return {
    ...{ input, out, key, alias, enrolmentKey, format },
    policy: readPolicy(values.policy),
    seed: seed === undefined ? randomBytes(32) : Buffer.from(seed, 'hex'),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        policy: { type: 'string' },
        key: { type: 'string' },
        alias: { type: 'string' },
        seed: { type: 'string' },
        'enrolment-key': { type: 'string', default: '' },
        format: { type: 'string', default: 'text' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** A policy as the console exports it. Throws UsageError with the first thing that is wrong. */
function readPolicy(file: string | undefined): ReinforcePolicyFile {
  let written: unknown = USUAL_POLICY
  if (file !== undefined)
    try {
      written = JSON.parse(readWhole(file, MOST_POLICY_BYTES).toString())
    } catch (error) {
      if (error instanceof SyntaxError) throw new UsageError(`${file} is no JSON: ${error.message}`)
      throw error
    }
  const read = ReinforcePolicyFileSchema.safeParse(written)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new UsageError(`${file} is no policy: ${issue?.path.join('.') || 'file'}: ${issue?.message}`)
  }
  const [missing] = missingSettings(read.data.options)
  if (missing)
    throw new UsageError(`${file}: ${missing.option}: ${missing.field} is ${missing.wrong ? 'wrong' : 'missing'}`)
  return read.data
}

interface Signer {
  readonly key: SigningKey
  readonly alias: string
}

async function hardenFile(
  { input, out, policy, seed, enrolmentKey }: Asked,
  signer: Signer | undefined,
  now: () => number,
  createdBy: string,
): Promise<Report> {
  const bytes = readWhole(input, MOST_PACKAGE_BYTES)
  const kind = packageKind(bytes, input)
  if (!isHardenKind(kind))
    throw new FormatError('harden', 'kind', -1, `${kind ?? 'this file'} is not reinforced; these are: ${WANTED}`)
  const { unsigned, noKey } = KEY_TEXTS[kind]
  if (signer && noKey) throw new UsageError(noKey)
  const end = now() + MOST_MINUTES * 60_000
  const keep = readKeepRules(policy.keep_rules)
  const { options } = policy
  const hardened = await hardenPackage(bytes, input, {
    ...hardenRequest(options, enrolmentKey),
    ...(options.js_protection.on && {
      protectScript: await protectScriptsOf(bytes, options.js_protection.strength, seed),
    }),
    ...(signer && { certificate: ownCertificate(signer.key).fingerprints.sha256 }),
    ...{ keep, seed, isLate: () => now() > end },
  })
  const keepBundle = (file: OutputFile) => judgeBundle(bytes, readFileSync(file.temporary), input)
  const size =
    kind === 'aab'
      ? writeBundle(hardened, out, signer, createdBy, keepBundle)
      : signer
        ? await writeSigned(readZip(Buffer.concat(hardened.pieces)), out, signer, createdBy)
        : writeUnsigned(hardened, input, kind, out)
  const room = kind === 'apk' && options.multi_channel.on ? [judgeChannelRoom(readFileSync(out))] : []
  return {
    out,
    bytes: { before: bytes.length, after: size },
    policy: policy.name,
    signed: signer ? signedBy(signer, kind === 'aab' ? JAR_SCHEMES : SCHEMES) : null,
    options: optionResults(chosenOptions(options), [...hardened.lines, ...room]),
    notes: [
      ...keep.unread.map((line) => `line ${line} of the keep rules is not understood and has no effect`),
      ...removedNotes(kind, bytes),
      ...(signer || unsigned === undefined ? [] : [unsigned]),
    ],
  }
}

/** Our verifier has the last word: what it does not take is not kept. */
async function writeSigned(zip: ZipArchive, out: string, { key, alias }: Signer, createdBy: string): Promise<number> {
  const minSdk = manifestVersions(zip)?.minSdk ?? 1
  const signed = await signApkOnThreads(zip, { key, alias, schemes: SCHEMES, minSdk, createdBy })
  const file = new OutputFile(out, signed.pieces)
  try {
    const written = readFileSync(file.temporary)
    refuseIssues(judgeSigned(written, { schemes: SCHEMES, minSdk, certificate: ownCertificate(key) }))
    file.keep()
  } finally {
    file.discard()
  }
  return signed.size
}

/** It is read again as what it was before it gets its name. */
function writeUnsigned({ pieces, size }: HardenedPackage, input: string, kind: HardenKind, out: string): number {
  const file = new OutputFile(out, pieces)
  try {
    const written = readPackage(readFileSync(file.temporary), input)
    if (written.kind !== kind) throw new FormatError('harden', 'judged', -1, `the output reads as ${written.kind}`)
    file.keep()
  } finally {
    file.discard()
  }
  return size
}

/** Signed as a JAR where there is a key, and compared with the original before it gets its name. */
function writeBundle(
  { pieces, size }: HardenedPackage,
  out: string,
  signer: Signer | undefined,
  createdBy: string,
  judge: (file: OutputFile) => void,
): number {
  const signed = signer ? signJar(readZip(Buffer.concat(pieces)), { ...signer, createdBy }) : { pieces, size }
  const file = new OutputFile(out, signed.pieces)
  try {
    if (signer) refuseIssues(judgeJar(readFileSync(file.temporary), signer.key))
    judge(file)
    file.keep()
  } finally {
    file.discard()
  }
  return signed.size
}

function judgeBundle(before: Uint8Array, after: Uint8Array, input: string): void {
  const read = (bytes: Uint8Array) => readPackage(bytes, input) as AndroidPackage
  const wrong = compareBundles(read(before), read(after)).checks.find(({ passed }) => !passed)
  if (wrong) throw new FormatError('harden', 'judged', -1, `${wrong.check}: ${wrong.detail}`)
}

/** The signature that the input had: it is that of other contents. */
function removedNotes(kind: HardenKind, bytes: Uint8Array): string[] {
  const files = kind === 'aab' ? signingEntries(readZip(bytes)) : []
  return files.length ? [`the signature of the input is removed: ${files.join(', ')}`] : []
}

function signedBy({ key }: Signer, schemes: ReadonlySet<SigningScheme>): NonNullable<Report['signed']> {
  const { subject, fingerprints } = ownCertificate(key)
  return { schemes: [...schemes], subject, sha256: fingerprints.sha256 }
}

/** Lines as the report prints them: the text with its detail, without the option that they are listed under. */
function replaceTexts(key: string, value: unknown): unknown {
  if (key !== 'lines') return value
  return (value as HardenLine[]).map(({ outcome, file, place, text, detail, count }) => ({
    ...{ outcome, file, place, text: hardenText({ text, detail }, 'en'), count },
  }))
}

function textOf({ out, bytes, policy, signed, options, notes }: Report): string {
  const lines: [string, string][] = [
    ['hardened', printable(out)],
    ['policy', printable(policy)],
    ['size', `${bytes.before} -> ${bytes.after} bytes`],
    ...(signed
      ? ([
          ['signed', `${signed.schemes.join(', ')}, verified, by ${printable(signed.subject)}`],
          ['SHA-256', signed.sha256],
        ] as [string, string][])
      : []),
    ...options.flatMap(optionText),
    ...notes.map((note): [string, string] => ['note', printable(note)]),
  ]
  return lines.map(([name, value]) => `${name.padEnd(9)} ${value}`).join('\n')
}

/** A line for each thing that was done or not, with sums over classes and files. */
function optionText({ option, state, lines }: OptionResult<ReinforceOption>): [string, string][] {
  const name = REINFORCE_OPTIONS[option].en
  if (state === 'not_built') return [['skipped', `${name}: this version does not have it`]]
  const sums = sumLines(lines)
  const shown = sums.slice(0, MOST_LINES).map((sum): [string, string] => {
    const what = `${sum.outcome === 'absent' ? 'not built' : sum.outcome}: ${hardenText(sum, 'en')}`
    const places = sum.places > 1 ? ` at ${sum.places} places` : ''
    const number = sum.outcome === 'absent' || sum.count === 0 ? '' : `: ${sum.count}${places}`
    return ['', `  ${printable(what)}${number}`]
  })
  const more = sums.length > MOST_LINES ? [['', `  and ${sums.length - MOST_LINES} more`] as [string, string]] : []
  return [[state, name], ...shown, ...more]
}
