/** A line of `logcat -v epoch`. */
export interface LogLine {
  /** Milliseconds since 1970, by the phone's clock. */
  readonly at: number
  readonly pid: number
  readonly level: string
  readonly tag: string
  readonly text: string
}

const LONGEST = 4000

/** Undefined where the line is not a log line. */
export function readLogLine(line: string): LogLine | undefined {
  const match =
    /^\s{0,12}(\d{1,11})\.(\d{3,9})\s{1,8}(\d{1,10})\s{1,8}\d{1,10} ([VDIWEFS]) (.{0,200}?)\s{0,40}: (.*)$/.exec(
      line.slice(0, LONGEST),
    )
  if (!match) return undefined
  const [, seconds, fraction = '', pid, level = '', tag = '', text = ''] = match
  return { at: Number(seconds) * 1000 + Number(fraction.slice(0, 3)), pid: Number(pid), level, tag: tag.trim(), text }
}
