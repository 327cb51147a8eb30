import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { boundedProgram, findIsolation, SCAN_LIMITS } from '#server/platform/sandbox/isolation.ts'
import { askServer } from './run-on-server.ts'

export type Finding = { what: string; state: 'ok' | 'warning' | 'failed'; detail: string }

/** Checks the prerequisites of this installation; changes nothing except that it creates an absent data folder. */
export async function examine(config: Config): Promise<Finding[]> {
  return [
    node(),
    dataFolder(config),
    disk(config),
    keyFile(config),
    webBuild(config),
    await sandbox(config),
    await server(config),
  ]
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > 20 || (major === 20 && minor >= 19)
  return {
    what: 'Node.js',
    state: fits ? 'ok' : 'failed',
    detail: `${process.versions.node} (20.19 or later is needed)`,
  }
}

function dataFolder({ dataFolder }: Config): Finding {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    accessSync(dataFolder, constants.R_OK | constants.W_OK)
    return { what: 'Data folder', state: 'ok', detail: dataFolder }
  } catch (error) {
    return { what: 'Data folder', state: 'failed', detail: (error as Error).message }
  }
}

function disk({ dataFolder }: Config): Finding {
  try {
    const { bavail, blocks, bsize } = statfsSync(dataFolder)
    const share = bavail / blocks
    const detail = `${((bavail * bsize) / 1e9).toFixed(1)} GB free, ${(share * 100).toFixed(0)} %`
    return { what: 'Disk', state: share < 0.02 ? 'failed' : share < 0.1 ? 'warning' : 'ok', detail }
  } catch (error) {
    return { what: 'Disk', state: 'failed', detail: (error as Error).message }
  }
}

function keyFile({ paths }: Config): Finding {
  const file = join(paths.keys, 'kek')
  if (process.env['APPWARDEN_KEK']) return { what: 'Key-encryption key', state: 'ok', detail: 'from APPWARDEN_KEK' }
  if (!existsSync(file)) return { what: 'Key-encryption key', state: 'ok', detail: 'made at the first start' }
  const open = (statSync(file).mode & 0o077) !== 0
  return {
    what: 'Key-encryption key',
    state: open ? 'warning' : 'ok',
    detail: open ? `${file} can be read by others: chmod 600` : file,
  }
}

/** What keeps in the workers that read packages. */
async function sandbox({ dataFolder }: Config): Promise<Finding> {
  const { kept, missing } = await findIsolation(boundedProgram(SCAN_LIMITS), SCAN_LIMITS, { hidden: dataFolder })
  const what = 'Scan workers'
  if (missing.length > 0) return { what, state: 'warning', detail: `not allowed here: ${missing.join('; ')}` }
  return { what, state: 'ok', detail: kept.join('; ') }
}

function webBuild({ paths }: Config): Finding {
  const built = existsSync(join(paths.web, 'index.html'))
  return { what: 'Web build', state: built ? 'ok' : 'warning', detail: built ? paths.web : 'missing: npm run build' }
}

async function server({ paths }: Config): Promise<Finding> {
  try {
    const answer = await askServer(paths.adminSocket, { command: 'status', options: {} })
    return answer
      ? { what: 'Server', state: 'ok', detail: answer.lines.join('; ') }
      : { what: 'Server', state: 'warning', detail: 'not running' }
  } catch (error) {
    return { what: 'Server', state: 'failed', detail: (error as Error).message }
  }
}
