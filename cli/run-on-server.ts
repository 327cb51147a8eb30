import { request } from 'node:http'
import type { Config } from '#server/config.ts'
import { openLicence } from '#server/platform/licence/open-licence.ts'
import { type AdminAnswer, type AdminRequest, runAdmin } from '#server/processes/admin/operations.ts'
import { openFoundation } from '#server/processes/open-foundation.ts'
import { claimFolder } from '#server/supervisor/claim-folder.ts'
import { findSocket } from '#storage/local-socket/socket-path.ts'
import { startBundledPostgres } from '#storage/postgres/bundled.ts'
import { openDatabase } from '#storage/postgres/database.ts'

/**
 * Has a running server do it, over its local socket; where none runs, opens the stores itself (decision 35). Claiming the data folder
 * first keeps the two from meeting. Throws Error with a line for the operator.
 */
export async function runOnServer(config: Config, command: AdminRequest): Promise<AdminAnswer> {
  return (await askServer(config.paths.adminSocket, command)) ?? runAlone(config, command)
}

/** Undefined where no server listens. */
export function askServer(
  adminSocket: string,
  command: AdminRequest,
  timeoutMs = 30_000,
): Promise<AdminAnswer | undefined> {
  return new Promise((answer, fail) => {
    const call = request(
      { socketPath: findSocket(adminSocket), method: 'POST', path: '/', timeout: timeoutMs },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          const parsed = JSON.parse(text) as AdminAnswer
          if (response.statusCode === 200) answer(parsed)
          else fail(new Error(parsed.lines.join('\n')))
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error('The server does not answer on its admin socket')))
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? answer(undefined) : fail(error),
    )
    call.end(JSON.stringify(command))
  })
}

async function runAlone(config: Config, command: AdminRequest): Promise<AdminAnswer> {
  const release = config.databaseUrl ? () => {} : claimFolder(config.dataFolder)
  const postgres = config.databaseUrl ? undefined : await startBundledPostgres(config.paths.postgres)
  try {
    const address = postgres?.address ?? { connectionString: config.databaseUrl as string }
    const meta = await openDatabase(address, { migrate: true, connections: 2 })
    try {
      const foundation = await openFoundation({ config, meta, now: Date.now, kek: process.env['APPWARDEN_KEK'] })
      const licence = await openLicence({ ...foundation, config, meta, now: Date.now })
      try {
        return await runAdmin({ config, meta, now: Date.now, licence, ...foundation }, command)
      } finally {
        await licence.close()
        foundation.close()
      }
    } finally {
      await meta.close()
    }
  } finally {
    await postgres?.stop()
    release()
  }
}
