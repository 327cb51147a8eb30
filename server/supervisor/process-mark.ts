import { readFileSync } from 'node:fs'

/** Process id with its start time, so that a reused id is not taken for the old process; ends in ' gone' if there is no such process. */
export function processMark(pid = process.pid): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? `${pid} gone` : `${pid} ${fields[18]}`
  } catch {
    // No such process, or no such file system.
    if (process.platform === 'linux') return `${pid} gone`
    return pid === process.pid || isAlive(pid) ? `${pid} unknown` : `${pid} gone`
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // no such process
  }
}
