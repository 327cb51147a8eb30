import { join } from 'node:path'
import { type Logger, pino, stdSerializers } from 'pino'
import { humanLine, LEVELS, type Level, parseLogLine } from './log-line.ts'
import { redactFields, redactText } from './redact.ts'
import { openRotatingFile, type RotatingFile } from './rotating-file.ts'

const MAX_BYTES = 5 * 1024 * 1024
const KEEP = 5
const DAY_MS = 86_400_000

let file: RotatingFile | undefined
let name = ''
let terminalLevel: number = LEVELS.warn

/**
 * The logger of this process. Give it the error as `err` and a sentence: `log.error({ err }, 'event store: cannot write')`. Secrets in
 * fields and text are replaced. Before `openLog`, and in threads, lines from `warn` on go to stderr alone.
 */
export const log: Logger = pino(
  {
    level: 'info',
    base: null,
    mixin: () => ({ ...(name && { process: name }), pid: process.pid }),
    formatters: { log: redactFields },
    serializers: { err: serializeError, error: serializeError },
  },
  { write: writeLine },
)

export type LogOptions = {
  /** Name of this process in each line and of its file. */
  process: string
  /** Folder of the files (0700). */
  folder: string
  /** Lines below it are not written at all. */
  level?: Level
  /** Lines from this level on are shown on the terminal too. */
  terminal?: Level
}

/** Begins to write the lines of this process to `folder/process.log`: rotated at 5 MB and at the age of a day, 5 older files kept. */
export function openLog(options: LogOptions): void {
  file?.close()
  name = options.process
  terminalLevel = LEVELS[options.terminal ?? 'warn']
  log.level = options.level ?? 'info'
  file = openRotatingFile({
    path: join(options.folder, `${options.process}.log`),
    maxBytes: MAX_BYTES,
    keep: KEEP,
    maxAgeMs: DAY_MS,
    now: Date.now,
    lostLine: (count, reason) =>
      `${JSON.stringify({ level: LEVELS.warn, time: Date.now(), process: name, pid: process.pid, msg: `${count} log lines could not be written: ${reason}` })}\n`,
  })
}

export function closeLog(): void {
  file?.close()
  file = undefined
}

function writeLine(raw: string): void {
  const text = redactText(raw)
  file?.write(text)
  const line = parseLogLine(text)
  if (!line || line.quiet || line.level < (file ? terminalLevel : LEVELS.warn)) return
  const stream = file ? process.stdout : process.stderr
  stream.write(`${humanLine(line)}\n`)
}

/** Type, message, stack, code and cause: other fields of an error (a database's detail, a request) may hold personal data. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { type, message, stack } = stdSerializers.err(error)
  const { code } = error as NodeJS.ErrnoException
  return {
    type,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(error.cause instanceof Error && { cause: serializeError(error.cause) }),
  }
}
