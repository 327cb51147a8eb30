/** One line of a log file: JSON as pino writes it, `time` in epoch ms, `level` 10 (trace) to 60 (fatal). */
export type LogLine = {
  level: number
  time: number
  process?: string
  /** The program whose output the process logs: the supervisor logs lines of `postgres`. */
  child?: string
  pid?: number
  request?: string
  /** Not for the terminal. */
  quiet?: boolean
  msg?: string
  err?: { message?: string; code?: string; cause?: { message?: string } }
}

export const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const
export type Level = keyof typeof LEVELS

/** undefined for text that is no log line. */
export function parseLogLine(text: string): LogLine | undefined {
  try {
    const line = JSON.parse(text) as LogLine
    return typeof line?.level === 'number' && typeof line.time === 'number' ? line : undefined
  } catch {
    return undefined // text of another program
  }
}

/** Short form for a terminal: local time, level, process, message and the cause in one line. */
export function humanLine(line: LogLine): string {
  const level = Object.entries(LEVELS).findLast(([, value]) => value <= line.level)?.[0] ?? 'trace'
  const { err } = line
  const cause = err && [err.code, err.message, err.cause?.message].filter(Boolean).join(': ')
  const text = [line.msg, cause !== line.msg && cause].filter(Boolean).join(': ')
  const request = line.request ? ` [${line.request}]` : ''
  return `${timeText(line.time)} ${level.padEnd(5)} ${(line.process ?? '?').padEnd(10)} ${printable(text)}${request}`
}

function timeText(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Log lines may quote hostile input: nothing of it may steer a terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').slice(0, 2000)
}
