import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processMark } from './process-mark.ts'

/**
 * One server per data folder: its stores have one owner each. Answers the release function.
 * Throws when a living process holds the folder; a file left by a killed one is taken over.
 */
export function claimFolder(dataFolder: string): () => void {
  const file = join(dataFolder, 'run', 'supervisor.pid')
  mkdirSync(join(dataFolder, 'run'), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, processMark(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = readFileSync(file, 'utf8')
    const pid = Number(holder.split(' ')[0])
    if (pid && holder === processMark(pid))
      throw new Error(`Another AppWarden (process ${pid}) uses ${dataFolder}. Stop it or set APPWARDEN_DATA.`)
    writeFileSync(file, processMark(), { mode: 0o600 })
  }
  return () => rmSync(file, { force: true })
}
