import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listLogFiles } from '#runtime/log-files.ts'
import { humanLine, LEVELS, type Level, type LogLine, parseLogLine } from '#runtime/log-line.ts'
import { UsageError } from './usage-error.ts'

const POLL_MS = 300
const MOST_LINES = 1_000_000

/**
 * `appwarden logs`: the newest lines of all processes in the order of their times, then, with --follow, each new one until the signal.
 * `folder`: Config.paths.logs. Throws UsageError. Answers the exit code.
 */
export async function logsCommand(
  args: readonly string[],
  folder: string,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<number> {
  const { follow, level, processes, lines, json } = readArguments(args)
  const wanted = (line: LogLine) =>
    line.level >= LEVELS[level] &&
    (!processes || [line.process, line.child].some((name) => name !== undefined && processes.includes(name)))
  const show = (text: string, line: LogLine) => print(json ? text : humanLine(line))
  if (!existsSync(folder)) {
    print(`No logs yet in ${folder}`)
    return 0
  }
  const ends = new Map<string, { inode: number; at: number }>()
  let found: { text: string; line: LogLine }[] = []
  for (const { name, isRotated } of listLogFiles(folder)) {
    const path = join(folder, name)
    if (!isRotated) ends.set(path, endOf(path))
    found.push(...linesOf(readFileSync(path, 'utf8')).filter(({ line }) => wanted(line)))
  }
  found.sort((a, b) => a.line.time - b.line.time)
  found = lines > 0 ? found.slice(-lines) : []
  for (const { text, line } of found) show(text, line)
  while (follow && !signal?.aborted) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    const fresh = listLogFiles(folder)
      .filter(({ isRotated }) => !isRotated)
      .flatMap(({ name }) => appended(join(folder, name), ends))
    for (const { text, line } of fresh.sort((a, b) => a.line.time - b.line.time)) if (wanted(line)) show(text, line)
  }
  return 0
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      follow: { type: 'boolean', short: 'f', default: false },
      level: { type: 'string', default: 'info' },
      process: { type: 'string' },
      lines: { type: 'string', default: '200' },
      json: { type: 'boolean', default: false },
    },
  })
  const { follow, level, json } = values
  if (!isLevel(level)) throw new UsageError(`--level knows ${Object.keys(LEVELS).join(', ')}, not ${level}`)
  const lines = Number(values.lines)
  if (!Number.isInteger(lines) || lines < 0 || lines > MOST_LINES)
    throw new UsageError(`--lines must be 0 to ${MOST_LINES}`)
  return { follow, level, json, lines, processes: values.process?.split(',').map((one) => one.trim()) }
}

function isLevel(text: string): text is Level {
  return Object.hasOwn(LEVELS, text)
}

function linesOf(text: string): { text: string; line: LogLine }[] {
  return text.split('\n').flatMap((one) => {
    const line = one && parseLogLine(one)
    return line ? [{ text: one, line }] : []
  })
}

function endOf(path: string): { inode: number; at: number } {
  const { ino, size } = statSync(path)
  return { inode: ino, at: size }
}

/** Whole lines that the file got since the last look; a file that was rotated is read from its beginning. */
function appended(path: string, ends: Map<string, { inode: number; at: number }>): ReturnType<typeof linesOf> {
  const fd = openSync(path, 'r')
  try {
    const { ino, size } = statSync(path)
    const before = ends.get(path)
    const from = before?.inode === ino && before.at <= size ? before.at : 0
    const bytes = Buffer.alloc(size - from)
    readSync(fd, bytes, 0, bytes.length, from)
    const whole = bytes.lastIndexOf(10) + 1
    ends.set(path, { inode: ino, at: from + whole })
    return linesOf(bytes.subarray(0, whole).toString())
  } finally {
    closeSync(fd)
  }
}
