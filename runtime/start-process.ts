import { log, openLog } from './log.ts'
import { LEVELS, type Level } from './log-line.ts'

/** What the supervisor sends to a process, and what it hears from it. */
export type ToChild = { ping: number } | { processes: SupervisedProcess[] }
/** A process of this node as the supervisor knows it. Times in epoch ms. */
export type SupervisedProcess = {
  name: string
  /** Null while it does not run. */
  pid: number | null
  since: number | null
  /** How often it was started again since the supervisor started. */
  restarts: number
  /** Its last ends, newest last. */
  ends: { at: number; reason: string }[]
}
export type FromChild = {
  /** The process does its work from now on. */
  ready?: true
  pong?: number
  /** One sentence: the process ends and starting it again cannot help (a port that another program holds). */
  hopeless?: string
  /** The console has written a record of an update: it is to be performed. */
  update?: true
  /** The address that the program listens on, for port 0. */
  port?: number
}

/** Environment variables with which the supervisor passes the log settings to its processes. */
export const LOG_FOLDER = 'APPWARDEN_LOG_FOLDER'
export const LOG_LEVEL = 'APPWARDEN_LOG_LEVEL'

/** A program's options as JSON: in the environment, which unlike arguments no other account of the machine can read. */
export const OPTIONS = 'APPWARDEN_PROCESS_OPTIONS'

/** The options that this process was started with; not handed on to its own children. Tests give them as the first argument. */
export function processOptions<T>(): T {
  const text = process.env[OPTIONS]
  delete process.env[OPTIONS]
  return JSON.parse(text ?? process.argv[2] ?? '{}') as T
}

/**
 * First call of each long-running program: opens its log, answers the supervisor's liveness pings, and ends the process with a logged
 * reason on an exception or rejection that nothing handled. `name`: of the process in logs.
 */
export function startProcess(name: string): void {
  const folder = process.env[LOG_FOLDER]
  const level = process.env[LOG_LEVEL]
  if (folder) openLog({ process: name, folder, ...(isLevel(level) && { level }) })
  // A terminal that went away must not end a process that writes to it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('message', (message: ToChild | null) => {
    if (message === null) return
    if ('ping' in message) tellSupervisor({ pong: message.ping })
    else supervised = message.processes
  })
  process.on('SIGTERM', () => stop())
  process.on('SIGINT', () => {})
  process.on('disconnect', () => stop())
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'an unexpected error ends this process')
    process.exit(1)
  })
}

let supervised: readonly SupervisedProcess[] = []

/** The processes of this node, as last received from the supervisor; only the collector receives them. */
export function supervisedProcesses(): readonly SupervisedProcess[] {
  return supervised
}

/** Replaced by stopWith(). */
let stop = (): void => process.exit(0)

/**
 * From now on the process ends through `close` when the supervisor asks for it (SIGTERM) or is gone: then nothing else would ever stop it.
 * Before this call it ends at once. A Ctrl+C reaches the whole process group and is left to the supervisor, which stops its processes in
 * order. Answers the function that ends it so.
 */
export function stopWith(close: () => Promise<void>): () => void {
  let stopping = false
  stop = () => {
    if (stopping) return
    stopping = true
    void close().then(() => process.exit(0))
  }
  return stop
}

/** Sends it where there is a supervisor; its end is noticed by 'disconnect'. */
export function tellSupervisor(message: FromChild): void {
  process.send?.(message, () => {})
}

function isLevel(text: string | undefined): text is Level {
  return text !== undefined && Object.hasOwn(LEVELS, text)
}
