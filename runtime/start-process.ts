import { log, openLog } from './log.ts'
import { LEVELS, type Level } from './log-line.ts'

/** What the supervisor sends to a process, and what it hears from it. */
export type ToChild = { ping: number }
export type FromChild = {
  /** The process does its work from now on. */
  ready?: true
  pong?: number
  /** One sentence: the process ends and starting it again cannot help (a port that another program holds). */
  hopeless?: string
}

/** Environment variables by which the supervisor tells its processes where to log. */
export const LOG_FOLDER = 'APPWARDEN_LOG_FOLDER'
export const LOG_LEVEL = 'APPWARDEN_LOG_LEVEL'

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
  process.on('message', (message: Partial<ToChild> | null) => {
    if (typeof message?.ping === 'number') tellSupervisor({ pong: message.ping })
  })
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'an unexpected error ends this process')
    process.exit(1)
  })
}

/** Sends it where there is a supervisor; its end is noticed by 'disconnect'. */
export function tellSupervisor(message: FromChild): void {
  process.send?.(message, () => {})
}

function isLevel(text: string | undefined): text is Level {
  return text !== undefined && Object.hasOwn(LEVELS, text)
}
