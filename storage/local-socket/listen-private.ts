import { unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { prepareSocket } from './socket-path.ts'

/**
 * Listens at a Unix socket that only this account can open (0600). A socket left behind by a dead process is replaced; one that a process
 * still answers at is an error (EADDRINUSE).
 */
export async function listenPrivate(server: Server, path: string): Promise<void> {
  const address = prepareSocket(path)
  if (await isAnswered(address)) throw Object.assign(new Error(`${path} is in use`), { code: 'EADDRINUSE' })
  await unlink(address).catch(() => {}) // none there; otherwise listen() says what is wrong
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // A socket file takes its rights from the umask; changing them afterwards would leave a moment in which anyone may connect.
    const before = process.umask(0o177)
    try {
      server.listen(address, resolve)
    } finally {
      process.umask(before)
    }
  })
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
