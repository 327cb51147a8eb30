import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One server per data folder: its stores have one owner each. Answers the release function.
 * Throws when a living process holds the folder; a file left by a killed one is taken over.
 */
export function claimFolder(dataFolder: string): () => void {
  const file = join(dataFolder, 'run', 'supervisor.pid')
  mkdirSync(join(dataFolder, 'run'), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, mark(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = readFileSync(file, 'utf8')
    const pid = Number(holder.split(' ')[0])
    if (pid && holder === mark(pid))
      throw new Error(`Another AppWarden (process ${pid}) uses ${dataFolder}. Stop it or set APPWARDEN_DATA.`)
    writeFileSync(file, mark(), { mode: 0o600 })
  }
  return () => rmSync(file, { force: true })
}

/** Process id with its start time, so that a reused id is not taken for the old process; 'gone' where there is none. */
function mark(pid = process.pid): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return process.platform === 'linux'
      ? `${pid} gone`
      : pid === process.pid || alive(pid)
        ? `${pid} unknown`
        : `${pid} gone`
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
