import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeChannelTail, writeChannelTail } from '#engines/channels/channel-tail.ts'
import { type ReadAt, readPackageTail } from '#engines/channels/package-tail.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { type SigningScheme, signApkOnThreads } from '#engines/signing/sign-apk.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { writePieces } from '../../cli/output-file.ts'
import { type BenchLine, line } from './bench-line.ts'

const APKS = 'node_modules/appium-uiautomator2-server/apks'
const ROUNDS = 5
const SCHEMES: readonly SigningScheme[] = ['v1', 'v2', 'v3']
const TAILS = 600
/** Many, since another process at work makes most of them slow. */
const TAIL_ROUNDS = 40

/**
 * Signing a package of 18 MB with v1, v2 and v3 and an RSA key of 2048 bits: here from reading the file to the written output in a process
 * that runs, apksigner as a whole process, in turn, the fastest of each. Verifying the output, which `appwarden sign` does too, is a line of
 * its own. Then the tails of 600 channel packages, each judged. Where apksigner is not installed its line says so.
 */
export async function run(): Promise<BenchLine[]> {
  const name = readdirSync(APKS).find((one) => /server-v[\d.]+\.apk$/.test(one))
  if (!name) throw new Error(`no package in ${APKS}`)
  const apk = join(APKS, name)
  const folder = mkdtempSync(join(tmpdir(), 'bench-sign-'))
  try {
    return await measure(apk, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(apk: string, folder: string): Promise<BenchLine[]> {
  const { key, entry } = makeKey('bench', 'rsa')
  const keyFile = join(folder, 'key.pk8')
  const certificateFile = join(folder, 'certificate.der')
  writeFileSync(keyFile, entry.pkcs8)
  writeFileSync(certificateFile, key.certificates[0]!.der)
  const out = join(folder, 'out.apk')
  const peer = isThere()
  const ours: number[] = []
  const theirs: number[] = []
  const judged: number[] = []
  const request = { key, alias: 'bench', schemes: new Set(SCHEMES), minSdk: 21, createdBy: 'bench' }
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(
      await milliseconds(async () => {
        const { pieces } = await signApkOnThreads(readZip(readFileSync(apk)), request)
        const file = openSync(out, 'w')
        writePieces(file, pieces)
        closeSync(file)
      }),
    )
    const bytes = readFileSync(out)
    judged.push(
      await milliseconds(() => {
        const issues = judgeSigned(bytes, { ...request, certificate: key.certificates[0]! })
        if (issues.length) throw new Error(`not signed soundly: ${issues[0]!.key}`)
      }),
    )
    if (peer) {
      const files = ['--key', keyFile, '--cert', certificateFile, '--out', join(folder, 'theirs.apk'), apk]
      const options = ['--min-sdk-version', '21', '--v4-signing-enabled', 'false']
      theirs.push(
        await milliseconds(() => execFileSync('apksigner', ['sign', ...options, ...files], { stdio: 'ignore' })),
      )
    }
  }
  const [value, against] = [Math.min(...ours), peer ? Math.min(...theirs) : null]
  const limit = 'ratio <= 0.25'
  const ok = against === null || value <= against / 4
  return [
    {
      ...line('sign-18mb-against-apksigner', value, 'ms', peer ? 'apksigner sign' : null, against, limit, ok),
      detail: {
        verifying_ms: Math.round(Math.min(...judged)),
        ...(!peer && { skipped: 'apksigner is not installed' }),
      },
    },
    await channelTails(readFileSync(out)),
  ]
}

/** Building each tail and judging what was built, as it is read back. */
async function channelTails(bytes: Uint8Array): Promise<BenchLine> {
  const base = readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
  const times: number[] = []
  for (let round = 0; round < TAIL_ROUNDS; round++)
    times.push(
      await milliseconds(() => {
        for (let i = 0; i < TAILS; i++) {
          const channel = { key: `channel_${i}`, name: `渠道 ${i}` }
          const pieces = writeChannelTail(base, channel)
          const size = pieces.reduce((sum, { length }) => sum + length, base.bodySize)
          const reason = judgeChannelTail(readPackageTail(readerOf(pieces, base.bodySize), size), base, channel)
          if (reason !== undefined) throw new Error(reason)
        }
      }),
    )
  const value = Math.min(...times)
  return {
    ...line('channel-tails-600', value, 'ms', null, null, 'value < 100', value < 100),
    detail: { tail_bytes: bytes.length - base.bodySize },
  }
}

/** Reads what lies in pieces, as a file that begins with `bodySize` other bytes would be read. */
function readerOf(pieces: readonly Uint8Array[], bodySize: number): ReadAt {
  return (offset, length) => {
    const parts: Uint8Array[] = []
    let at = bodySize
    for (const piece of pieces) {
      const from = Math.max(0, offset - at)
      const to = Math.min(piece.length, offset + length - at)
      if (from < to) parts.push(piece.subarray(from, to))
      at += piece.length
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}

function isThere(): boolean {
  try {
    execFileSync('apksigner', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function milliseconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
