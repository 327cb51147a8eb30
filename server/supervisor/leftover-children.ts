import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processMark } from './process-mark.ts'

/** Processes of a supervisor that was killed end by themselves when they notice; one that hangs never does. */
const END_MS = 5000
const LOOK_MS = 50

export type ChildRecord = {
  /** Writes down that the process exists, so that a later supervisor can find it. */
  add(pid: number): void
  remove(pid: number): void
}

/** The processes of this supervisor, in `run/children` of the data folder. */
export function recordChildren(dataFolder: string): ChildRecord {
  const marks = new Map<number, string>()
  const write = () => {
    try {
      writeFileSync(fileOf(dataFolder), [...marks.values()].join('\n'), { mode: 0o600 })
    } catch {
      // A full disk: then a later supervisor waits for nothing.
    }
  }
  return {
    add(pid) {
      marks.set(pid, processMark(pid))
      write()
    },
    remove(pid) {
      marks.delete(pid)
      write()
    },
  }
}

/**
 * Waits until the processes of a supervisor that was killed before have ended, and ends those that do not: two owners of one journal,
 * store or port must never meet. Answers how many had to be killed.
 */
export async function endLeftovers(dataFolder: string, waitMs = END_MS): Promise<number> {
  let text: string
  try {
    text = readFileSync(fileOf(dataFolder), 'utf8')
  } catch {
    return 0 // no supervisor ran before
  }
  const marks = text.split('\n').filter(Boolean)
  const living = () =>
    marks.filter((mark) => {
      const pid = Number(mark.split(' ')[0])
      return pid > 1 && !mark.endsWith(' gone') && processMark(pid) === mark
    })
  const until = performance.now() + waitMs
  while (living().length > 0 && performance.now() < until) await sleep(LOOK_MS)
  const killed = living().map((mark) => Number(mark.split(' ')[0]))
  for (const pid of killed)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended at this moment.
    }
  while (living().length > 0 && performance.now() < until + waitMs) await sleep(LOOK_MS)
  return killed.length
}

function fileOf(dataFolder: string): string {
  return join(dataFolder, 'run', 'children')
}
