import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparePackages } from '#engines/harden/compare-packages.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import type { HardenRequest } from '#engines/harden/harden-request.ts'
import type { HardenLine } from '#engines/harden/hardening.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { checkPackage } from './check-package.ts'

const SCHEMES: ReadonlySet<SigningScheme> = new Set(['v1', 'v2', 'v3'])
const RUN = { encoding: 'utf8', maxBuffer: 1 << 30 } as const

export interface CheckedPackage {
  /** What is wrong with the result, a line each. */
  readonly problems: readonly string[]
  readonly lines: readonly HardenLine[]
  /** Signed. */
  readonly result: Uint8Array
  /** Tools that others wrote and that are here: the others said nothing. */
  readonly tools: readonly string[]
}

/** Virtualises methods of a package and checks the result; `lines` are those of dex_vmp. */
export async function checkVirtualised(
  bytes: Uint8Array,
  name: string,
  virtualised: readonly string[],
): Promise<CheckedPackage & { readonly virtualised: number }> {
  const checked = await checkHardened(bytes, name, { virtualised })
  const lines = checked.lines.filter(({ option }) => option === 'dex_vmp')
  const isApplied = (line: HardenLine) => line.outcome === 'applied'
  const count = lines.filter(isApplied).reduce((sum, line) => sum + line.count, 0)
  return { ...checked, lines, virtualised: count }
}

/**
 * Reinforces a package and signs it; then asks the verifiers of our own and of the SDK's tools, as far as they are here, and
 * ART's verifier over all of its classes, whether anything is worse than before.
 */
export async function checkHardened(
  bytes: Uint8Array,
  name: string,
  wanted: Partial<HardenRequest>,
): Promise<CheckedPackage> {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 3), ...wanted }
  const { pieces, lines, open } = await hardenApk(bytes, name, request)
  if (!open && !lines.some(({ outcome }) => outcome === 'applied'))
    return { problems: ['nothing was changed'], lines, result: bytes, tools: [] }
  const key = makeKey('maker')
  const facts = (readPackage(bytes, name) as AndroidPackage).facts
  const minSdk = Number(facts.minSdk?.value ?? 1)
  const signed = signApk(readZip(Buffer.concat(pieces)), {
    ...{ key: key.key, alias: 'maker', schemes: SCHEMES, minSdk, createdBy: 'test' },
  })
  const result = new Uint8Array(Buffer.concat(signed.pieces))
  const judged = judgeSigned(result, { schemes: SCHEMES, minSdk, certificate: key.entry.certificates[0]! })
  const read = (from: Uint8Array) => readPackage(from, name) as AndroidPackage
  const readable = open ? new Uint8Array(Buffer.concat(open())) : result
  const compared = comparePackages(read(bytes), read(result), read(readable))
  const code = read(result).code.map((one) => one.bytes)
  const onHost = await checkPackage(bytes, name, [{ name: 'reinforced', rewrite: () => code }], {
    withSignatures: true,
  })
  return {
    problems: [
      ...judged.map((issue) => `signature: ${issue.key}`),
      ...compared.checks.filter(({ passed }) => !passed).map(({ check, detail }) => `${check}: ${detail}`),
      ...toolProblems(bytes, result, minSdk),
      ...onHost,
    ],
    lines,
    result,
    tools: ['apksigner', 'zipalign', 'aapt', 'dexdump'].filter((name) => !spawnSync(name, ['--version'], RUN).error),
  }
}

/** What tools that others wrote say of the result; those that are not here say nothing. */
function toolProblems(before: Uint8Array, after: Uint8Array, minSdk: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'aw-reinforced-'))
  try {
    const [old, made, one] = ['old.apk', 'made.apk', 'one.dex'].map((file) => join(folder, file)) as [
      string,
      string,
      string,
    ]
    writeFileSync(old, before)
    writeFileSync(made, after)
    const run = (program: string, ...args: string[]) => {
      const { error, status, stdout, stderr } = spawnSync(program, args, RUN)
      return error
        ? undefined
        : { good: status === 0, said: `${program}: ${`${stderr}${stdout}`.slice(0, 300)}`, stdout }
    }
    const failed = (answer: ReturnType<typeof run>) => (answer && !answer.good ? [answer.said] : [])
    const badging = (file: string) => run('aapt', 'dump', 'badging', file)
    const firstLine = (file: string) => badging(file)?.stdout.split('\n')[0]
    const zip = readZip(after)
    const dexFiles = zip.entries.filter((entry) => /^classes\d*\.dex$/.test(entry.name))
    return [
      ...failed(run('apksigner', 'verify', '--min-sdk-version', `${minSdk}`, made)),
      ...failed(run('zipalign', '-c', '-p', '4', made)),
      ...failed(badging(made)),
      ...(firstLine(old) === firstLine(made) ? [] : ['aapt: another package']),
      ...dexFiles.flatMap((entry) => {
        writeFileSync(one, entryBytes(zip, entry))
        return failed(run('dexdump', one)).map((said) => `${entry.name}: ${said}`)
      }),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
