import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A built AppWarden (dist/node) on a free loopback port with a data folder of its own: what fault, soak, bench and pictures run against. */
export type RunningServer = {
  url: string
  dataFolder: string
  /** Living processes of this server by name: supervisor, store, collector, console, relay, jobs, postgres, demo, fleet. */
  processes(): Map<string, number>
  /** Starts it again on the same port and folder after it was killed or stopped; answers the seconds until /healthz is ok. */
  start(): Promise<number>
  stop(): Promise<void>
  /** Runs `appwarden …` against it. */
  cli(...args: string[]): string
  log(): string
}

export type ServerOptions = {
  env?: Record<string, string>
  dataFolder?: string
  port?: number
  /** Characters of the log that are kept, the newest. */
  keptLog?: number
}

const TOP = resolve(import.meta.dirname, '../..')

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort())
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'appwarden-test-'))
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    APPWARDEN_DATA: dataFolder,
    APPWARDEN_ADMIN_PASSWORD: ADMIN.password,
    APPWARDEN_ADMIN_EMAIL: ADMIN.username,
    APPWARDEN_CAPTCHA_FIXED: '12345',
    ...options.env,
  }
  const keptLog = options.keptLog ?? 20_000
  let child: ChildProcess | undefined
  let log = ''

  async function start(): Promise<number> {
    const at = performance.now()
    child = spawn(process.execPath, [join(TOP, 'dist/node/main.js')], {
      cwd: TOP,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-keptLog)
      })
    await waitFor(async () => {
      if (child?.exitCode !== null) throw new Error(`the server ended:\n${log}`)
      // Processes of a supervisor that was killed may answer for a moment more: they are not what was started.
      return processesBelow(child.pid ?? 0, dataFolder).has('collector') && (await healthOf(url))?.['state'] === 'ok'
    }, 60_000)
    return (performance.now() - at) / 1000
  }

  try {
    await start()
  } catch (error) {
    // The caller gets no handle to stop it with.
    child?.kill('SIGTERM')
    throw error
  }
  return {
    url,
    dataFolder,
    processes: () => processesBelow(child?.pid ?? 0, dataFolder),
    start,
    async stop() {
      if (child && child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill('SIGTERM')
        await exit
      }
      if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true })
    },
    cli: (...args) =>
      execFileSync(process.execPath, [join(TOP, 'dist/node/cli.js'), ...args], { cwd: TOP, env, encoding: 'utf8' }),
    log: () => log,
  }
}

export const ADMIN = { username: 'admin@appwarden.local', password: 'Warden-2026-test' } as const

/** The answer of /healthz, undefined while no server listens. */
export async function healthOf(url: string): Promise<Record<string, unknown> | undefined> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })
    return (await answer.json()) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Polls until it answers true; throws after `ms`. */
export async function waitFor(check: () => Promise<boolean> | boolean, ms: number, what = 'condition'): Promise<void> {
  for (const end = Date.now() + ms; ; ) {
    if (await check()) return
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for ${what}`)
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

/** A port that no process listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address || !isIP(address.address)) throw new Error('no port')
  return address.port
}

const NAMES: [pattern: RegExp, name: string][] = [
  [/store-process/, 'store'],
  [/collector-process/, 'collector'],
  [/console-process/, 'console'],
  [/relay-process|realtime.main/, 'relay'],
  [/jobs-process/, 'jobs'],
  [/device-fleet/, 'fleet'],
  [/demo\.js/, 'demo'],
  [/main\.js/, 'supervisor'],
]

/** Processes whose ancestor is `pid`, with itself; PostgreSQL only its first one. */
function processesBelow(pid: number, dataFolder: string): Map<string, number> {
  const parents = new Map<number, number>()
  const commands = new Map<number, string>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]))
      commands.set(Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '))
    } catch {
      // ended while we looked
    }
  }
  const found = new Map<string, number>()
  for (const [one, command] of commands) {
    let at: number | undefined = one
    while (at && at !== pid) at = parents.get(at)
    if (at !== pid) continue
    const postgres = command.includes(`${dataFolder}/postgres/data`) && !command.startsWith('unshare')
    const name = postgres ? 'postgres' : NAMES.find(([pattern]) => pattern.test(command))?.[1]
    if (name && !found.has(name)) found.set(name, one)
  }
  return found
}

/** Proportional memory of processes in MB (PSS: shared pages divided among those that map them). */
export function pssMegabytes(pids: Iterable<number>): number {
  let kilobytes = 0
  for (const pid of pids) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // ended
    }
  }
  return kilobytes / 1024
}

/** All process ids below `pid`, with itself. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // ended
    }
  }
  const tree: number[] = []
  for (const queue = [pid]; queue.length; ) {
    const one = queue.pop() as number
    tree.push(one)
    queue.push(...(children.get(one) ?? []))
  }
  return tree
}
