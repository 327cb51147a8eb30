import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ProgramCommand } from '../../programs.ts'
import { childEnvironment, type Isolation, type SandboxLimits } from './isolation.ts'

export type SandboxEnd =
  | { ended: 'done' }
  /** A limit ended it. */
  | { ended: 'limit'; limit: 'time' | 'cpu' | 'memory' | 'output' }
  | { ended: 'crashed'; detail: string }
  /** `signal` was aborted. */
  | { ended: 'stopped' }

export type SandboxedRun = {
  program: ProgramCommand
  isolation: Isolation
  limits: SandboxLimits
  /** Last argument of the program, as JSON. */
  order: unknown
  /** Goes to the child's standard input. */
  input: Readable
  /** Bytes that it may say in all. */
  outputBytes: number
  signal: AbortSignal
  /** Runs at a lower priority than what people wait for. */
  background?: boolean
  /** One line that the child wrote to its fourth descriptor. */
  onLine(line: string): void
}

const KEPT_ERROR = 16_384

/**
 * Runs a program that reads hostile bytes: they come by a pipe, so it needs no file; what it says comes by another, counted. It ends with
 * its work, with a limit, or when it was cancelled; nothing of its process group outlives it.
 */
export async function runSandboxed(run: SandboxedRun): Promise<SandboxEnd> {
  const { program, isolation, limits, signal } = run
  if (signal.aborted) return { ended: 'stopped' }
  const [file = program.file, ...args] = [...isolation.prefix, program.file, ...program.args, JSON.stringify(run.order)]
  const child = spawn(file, args, {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
    cwd: '/',
    detached: true,
  })
  if (run.background && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let end: SandboxEnd | undefined
  const finish = (reason: SandboxEnd) => {
    end ??= reason
    killGroup(child)
  }
  const timer = setTimeout(() => finish({ ended: 'limit', limit: 'time' }), limits.wallSeconds * 1000)
  const onAbort = () => finish({ ended: 'stopped' })
  signal.addEventListener('abort', onAbort, { once: true })

  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERROR)
  })
  const said = listen(child.stdio[3] as Readable, run.outputBytes, run.onLine, () =>
    finish({ ended: 'limit', limit: 'output' }),
  )
  const fed = child.stdin ? pipeline(run.input, child.stdin).catch(() => {}) : undefined // it ended before it read all
  const exit = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('error', (error) => {
      errors += error.message
      resolve({ code: -1, signal: null })
    })
    child.once('exit', (code, name) => resolve({ code, signal: name }))
  })
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  killGroup(child)
  run.input.destroy()
  await Promise.all([said, fed])
  return end ?? outcome(exit, errors)
}

function outcome({ code, signal }: { code: number | null; signal: string | null }, errors: string): SandboxEnd {
  if (code === 0) return { ended: 'done' }
  // 128 + n: the signal that ended it, as reported by the program before it.
  if (signal === 'SIGXCPU' || code === 152) return { ended: 'limit', limit: 'cpu' }
  const outOfMemory = /heap out of memory|Array buffer allocation failed|ENOMEM|Cannot allocate memory/.test(errors)
  if (outOfMemory || signal === 'SIGABRT' || code === 134) return { ended: 'limit', limit: 'memory' }
  if (signal === 'SIGKILL' || code === 137) return { ended: 'limit', limit: 'cpu' } // the hard bound, or the machine's own
  return { ended: 'crashed', detail: `${signal ?? code}: ${errors.trim()}` }
}

/** Lines within the bound; a line that never ends is one too. */
async function listen(
  stream: Readable,
  most: number,
  onLine: (line: string) => void,
  onTooMuch: () => void,
): Promise<void> {
  let bytes = 0
  let over = false
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > most && !over) {
      over = true
      onTooMuch()
    }
  })
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (!over) onLine(line)
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // all of it ended
  }
}
