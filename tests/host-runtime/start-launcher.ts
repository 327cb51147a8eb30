import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buildHostRuntime } from './build-host-runtime.ts'

/** An exception as the launcher reports it. */
export interface HostException {
  /** `java.lang.ArithmeticException` */
  readonly type: string
  readonly message?: string
  /** `package.Class.method` from the place where it was made on. */
  readonly stack?: readonly string[]
  readonly cause?: HostException
}

/** What a run of the launcher left. */
export interface LauncherOutput {
  readonly stdout: string
  readonly stderr: string
  /** Lines of android.util.Log. */
  readonly log: string
  /** JSON objects. */
  readonly report: readonly Record<string, unknown>[]
  /** null where a signal ended it. */
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** What ART itself wrote, for messages of failed tests. */
  readonly runtimeLog: string
}

const MOST_OUTPUT = 64 * 1024 * 1024

/** Runs the launcher on these dex files; `words` are put in front of and behind their paths. `checkJni`: ART ends where native code breaks a rule of JNI. */
export async function startLauncher(
  dexFiles: readonly Uint8Array[],
  before: readonly string[],
  behind: readonly string[],
  timeout: number,
  checkJni = false,
): Promise<LauncherOutput> {
  const { launcher, coreLibrary, environment } = buildHostRuntime()
  const folder = mkdtempSync(join(tmpdir(), 'aw-host-'))
  try {
    const paths = dexFiles.map((bytes, i) => {
      const path = join(folder, `classes${i || ''}.dex`)
      writeFileSync(path, bytes)
      return path
    })
    const child = spawn(launcher, [coreLibrary, ...before, ...paths, ...behind], {
      env: checkJni ? { ...environment, HOST_CHECK_JNI: '1' } : environment,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, timeout)
    const ended = new Promise<{ status: number | null; signal: NodeJS.Signals | null }>((done, fail) => {
      child.once('error', fail)
      child.once('close', (status, signal) => done({ status, signal }))
    })
    const texts = Promise.all([1, 2, 3, 4, 5].map((descriptor) => textOf(child.stdio[descriptor] as Readable)))
    try {
      const { status, signal } = await ended
      const [stdout, runtimeLog, report, log, stderr] = (await texts) as [string, string, string, string, string]
      return { stdout, stderr, log, report: reportOf(report), status, signal, timedOut, runtimeLog }
    } finally {
      clearTimeout(timer)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A process that died may leave half a line. */
function reportOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** The first 64 MiB. */
async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    if (size < MOST_OUTPUT) parts.push(part)
    size += part.length
  }
  return Buffer.concat(parts).toString('utf8')
}
