import type { ChildProcess, ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { log } from '#runtime/log.ts'
import { type FromChild, OPTIONS, type SupervisedProcess, type ToChild } from '#runtime/start-process.ts'
import { type Program, startProgram } from '../programs.ts'
import type { ChildRecord } from './leftover-children.ts'

export type ChildSupervisor = {
  /**
   * Resolves when the program first reported that it works; rejects (Error with a sentence) when it ended before that for the third time
   * or said that it can never start. An essential program is then not started again; any other is, for as long as it takes.
   */
  ready: Promise<void>
  pid(): number | undefined
  /** For the environment page. */
  state(): SupervisedProcess
  /** Nothing happens while the process does not run. */
  send(message: ToChild): void
  /** SIGTERM, and SIGKILL ten seconds later. Resolves when the process ended. */
  stop(): Promise<void>
}

export type SuperviseOptions = Pick<ForkOptions, 'execArgv'> & {
  /** Environment of the process. */
  env: NodeJS.ProcessEnv
  /** Name in logs. */
  name: string
  /** What processOptions() answers in the program. */
  options: object
  /** Without it the product is not started at all. */
  essential?: boolean
  /** Receives every message of the program. */
  onMessage?(message: FromChild): void
  /** Where the processes that exist are written down. */
  record?: ChildRecord
  /** The supervisor itself is stopping: what ends now was meant to. */
  stopped(): boolean
  /** Called after the process was started and after it ended. */
  onChange?(): void
  /** How a process is started; startProgram unless a test says otherwise. */
  start?: typeof startProgram
  /** How liveness is asked; false for a program that does not answer pings. */
  liveness?: Partial<Liveness> | false
}

/** All times in ms. */
export type Liveness = {
  everyMs: number
  /** Pings without an answer after which the process counts as hung. */
  missed: number
  /** A process that never answered yet is still loading: it has this long. */
  startMs: number
}

const LIVENESS: Liveness = { everyMs: 3000, missed: 5, startMs: 120_000 }
const STOP_MS = 10_000
const FIRST_TRIES = 3
/** Ends that are remembered. */
const ENDS = 50
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5000
/** A process that ran this long had nothing wrong with its start. */
const STEADY_MS = 30_000

/**
 * Runs the program and starts it again whenever it ends, cannot be forked or stops answering, waiting 100 ms at first and up to 5 s
 * while it keeps failing. What the process writes to stderr goes to the log.
 */
export function superviseChild(program: Program, options: SuperviseOptions): ChildSupervisor {
  const { name, stopped } = options
  const essential = options.essential ?? false
  const liveness = options.liveness !== false && { ...LIVENESS, ...options.liveness }
  const { promise: ready, resolve, reject } = withResolvers()
  ready.catch(() => {}) // a caller that awaits it sees the rejection
  let current: ChildProcess | undefined
  let wasReady = false
  let failures = 0
  let wait = FIRST_WAIT_MS
  let since: number | null = null
  let starts = 0
  const ends: SupervisedProcess['ends'] = []

  function begin(): void {
    const startedAt = performance.now()
    let hopeless: string | undefined
    let ended = false
    /** `started`: false when there was no process at all, which says nothing about the program. */
    const afterEnd = (reason: string, started: boolean) => {
      if (ended) return
      ended = true
      stopPings()
      current = undefined
      since = null
      if (stopped()) return
      ends.push({ at: Date.now(), reason })
      if (ends.length > ENDS) ends.shift()
      options.onChange?.()
      if (!wasReady && hopeless) return reject(new Error(hopeless))
      if (!wasReady && started && ++failures === FIRST_TRIES) {
        reject(new Error(`The ${name} process does not start (${reason}); the log has the cause`))
        if (essential) return
      }
      if (performance.now() - startedAt > STEADY_MS) wait = FIRST_WAIT_MS
      log.warn({ child: name, reason, wait }, `the ${name} process ended (${reason}), starting it again`)
      setTimeout(() => !stopped() && begin(), wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    let stopPings = () => {}
    let child: ChildProcess
    try {
      child = (options.start ?? startProgram)(program, [], {
        ...(options.execArgv && { execArgv: options.execArgv }),
        env: { ...options.env, [OPTIONS]: JSON.stringify(options.options) },
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      })
    } catch (error) {
      afterEnd(`cannot be forked: ${(error as Error).message}`, false)
      return
    }
    current = child
    since = Date.now()
    starts++
    const { pid } = child
    if (pid !== undefined) options.record?.add(pid)
    logStderr(child, name)
    if (liveness)
      stopPings = watchLiveness(child, liveness, (reason) => {
        log.error({ child: name }, `the ${name} process does not answer (${reason}), ending it`)
        child.kill('SIGKILL') // works on a stopped process too
      })
    // Without a listener a failed fork (EAGAIN, ENOMEM, EMFILE) would end the supervisor.
    child.on('error', (error) => child.pid === undefined && afterEnd(`cannot be forked: ${error.message}`, false))
    child.on('message', (message: FromChild) => {
      if (message.hopeless !== undefined) hopeless = message.hopeless
      options.onMessage?.(message)
      if (!message.ready) return
      wasReady = true
      resolve()
    })
    child.once('exit', (code, signal) => {
      if (pid !== undefined) options.record?.remove(pid)
      afterEnd(String(code ?? signal), true)
    })
    options.onChange?.()
  }
  begin()

  return {
    ready,
    pid: () => current?.pid,
    state: () => ({ name, pid: current?.pid ?? null, since, restarts: Math.max(0, starts - 1), ends: [...ends] }),
    send(message) {
      if (current?.connected) current.send(message, () => {}) // its end is noticed by 'exit'
    },
    async stop() {
      const child = current
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await exit
      clearTimeout(timer)
    },
  }
}

/** Pings the child and calls `onHung` once when it stops answering. Answers the function that ends this. */
function watchLiveness(child: ChildProcess, liveness: Liveness, onHung: (reason: string) => void): () => void {
  const { everyMs, missed, startMs } = liveness
  const since = performance.now()
  let unanswered = 0
  let answered = false
  let lastTick = performance.now()
  child.on('message', (message: FromChild) => {
    if (message.pong === undefined) return
    answered = true
    unanswered = 0
  })
  const timer = setInterval(() => {
    const late = performance.now() - lastTick > 2 * everyMs
    lastTick = performance.now()
    // This process or the whole machine was asleep: a child could not have answered.
    if (late) unanswered = 0
    if (answered ? unanswered >= missed : performance.now() - since > startMs) {
      clearInterval(timer)
      onHung(answered ? `${missed} pings` : `${startMs / 1000} s after its start`)
      return
    }
    unanswered++
    if (child.connected) child.send({ ping: lastTick } satisfies ToChild, () => {})
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Lines that a process writes to stderr by itself: crashes of native code, warnings of Node. Its own log goes to its own file. */
function logStderr(child: ChildProcess, name: string): void {
  const MAX_LINE = 4000
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-MAX_LINE)
    for (const line of lines) if (line.trim()) log.error({ child: name }, `${name}: ${line.slice(0, MAX_LINE)}`)
  })
  child.stderr?.on('end', () => rest.trim() && log.error({ child: name }, `${name}: ${rest}`))
  child.stderr?.on('error', () => {})
}

function withResolvers() {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
