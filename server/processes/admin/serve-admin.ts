import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { prepareSocket, releaseSocketFolder } from '#storage/local-socket/socket-path.ts'
import { type AdminDeps, type AdminRequest, runAdmin } from './operations.ts'

const LIMIT = 64 * 1024

/** Takes commands of `appwarden …` on a socket that only this account of the machine can open (0600). */
export async function serveAdmin(deps: AdminDeps): Promise<{ close(): Promise<void> }> {
  const adminSocket = prepareSocket(deps.config.paths.adminSocket)
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.length > LIMIT) request.destroy()
    })
    request.on('end', async () => {
      try {
        response.end(JSON.stringify(await runAdmin(deps, JSON.parse(text) as AdminRequest)))
      } catch (error) {
        response.writeHead(400).end(JSON.stringify({ lines: [error instanceof Error ? error.message : String(error)] }))
      }
    })
  })
  rmSync(adminSocket, { force: true }) // left by a process that was killed; the folder is ours alone
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(adminSocket, ready))
  chmodSync(adminSocket, 0o600)
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          releaseSocketFolder(dirname(deps.config.paths.adminSocket))
          closed()
        })
        server.closeAllConnections()
      }),
  }
}
