import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { endProcesses, openTestNetwork, treeOf } from './test-network.ts'

const UNPRIVILEGED_ID = 65534
const STOP_MS = 60_000
const URL = 'http://127.0.0.1:18080'
export const CODE = 'k7wxp'
export const ADMIN = { email: 'admin@example.com', password: 'Granite-Harbour-27' }
const root = process.getuid?.() === 0

/** A packaged product that was unpacked for a test. As root it runs as an ordinary user in a network of its own, without any but loopback. */
export type Installation = {
  /** Launcher, releases, data. Its parent folder is the home of the user. */
  folder: string
  url: string
  /** A shell script in the folder, as the user, with nothing but the system on PATH. */
  asUser(script: string): { status: number | null; stdout: string; stderr: string }
  /** Output of the script; throws unless it ends with 0. */
  run(script: string): string
  /** What tests/package/visit-server.ts prints, run in the network of the installation. */
  visit(...args: string[]): string
  /** `./appwarden start` or `demo`, after the server that runs was stopped; answers once the new one is well. */
  start(command?: 'start' | 'demo'): Promise<void>
  /** Whether /healthz answers that all is well. */
  isWell(): boolean
  /** Ends the server as a service manager does; throws unless it ends with 0. */
  stop(): Promise<void>
  /** SIGKILL for the launcher and everything that it started. Answers how many processes that were. */
  kill(): Promise<number>
  /** A program as the tests run it, but in the network of the installation. */
  inNetwork(args: readonly string[]): string[]
  /** Ends everything that runs. */
  close(): Promise<void>
}

/** Unpacks an archive of `npm run package` into `home`. `env` is added to the environment of every command. */
export async function unpackInstallation(
  archive: string,
  home: string,
  env: Record<string, string> = {},
): Promise<Installation> {
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', home])
  const folder = join(home, execFileSync('tar', ['-tzf', archive], LONG_LIST).split('/')[0] as string)
  const visit = join(home, '../visit')
  await buildVisitor(visit)
  chmodSync(home, 0o755)
  if (root) execFileSync('chown', ['-R', `${UNPRIVILEGED_ID}:${UNPRIVILEGED_ID}`, home])
  const network = root ? await openTestNetwork() : undefined
  const inNetwork = (args: readonly string[]) => network?.command(args) ?? [...args]
  let server: ChildProcess | undefined
  /** Every server that was started: a test that failed may have left one. */
  const servers: ChildProcess[] = []

  function commandOfUser(script: string): [string, string[]] {
    const user = root ? ['setpriv', `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'] : []
    const clean = {
      PATH: '/usr/bin:/bin',
      HOME: home,
      PORT: '18080',
      APPWARDEN_ADMIN_EMAIL: ADMIN.email,
      APPWARDEN_ADMIN_PASSWORD: ADMIN.password,
      APPWARDEN_CAPTCHA_FIXED: CODE,
      ...env,
    }
    const variables = Object.entries(clean).map(([name, value]) => `${name}=${value}`)
    const [file = '', ...args] = inNetwork([...user, 'env', '-i', ...variables, 'sh', '-c', script])
    return [file, args]
  }
  function asUser(script: string) {
    return spawnSync(...commandOfUser(script), { cwd: folder, encoding: 'utf8', timeout: 240_000 })
  }
  const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null
  const health = `current/bin/node -e 'fetch(process.argv[1]).then(async (a) => console.log(await a.text()), () => {})' ${URL}/healthz`
  const isWell = () => asUser(health).stdout.includes('"state":"ok"')

  async function stop(): Promise<void> {
    if (!server || !isRunning()) return
    const ended = once(server, 'exit', { signal: AbortSignal.timeout(STOP_MS) })
    server.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0) throw new Error(`The server ended with ${code ?? signal}`)
  }

  return {
    folder,
    url: URL,
    asUser,
    run(script) {
      const { status, stdout, stderr } = asUser(script)
      if (status !== 0) throw new Error(`${script} ended with ${status}\n${stdout}${stderr}`)
      return stdout.trim()
    },
    visit(...args) {
      const [file = '', ...rest] = inNetwork([process.execPath, join(visit, 'visit-server.mjs'), URL, ...args])
      return execFileSync(file, rest, { encoding: 'utf8', timeout: 240_000, maxBuffer: 16e6 }).trim()
    },
    async start(command = 'start') {
      await stop()
      const [file, args] = commandOfUser(`exec ./appwarden ${command} >> ../start.log 2>&1`)
      server = spawn(file, args, { cwd: folder, stdio: 'ignore' })
      servers.push(server)
      for (let i = 0; i < 300; i++) {
        if (isWell()) return
        if (!isRunning()) break
        await new Promise((done) => setTimeout(done, 500))
      }
      throw new Error(readFileSync(join(home, 'start.log'), 'utf8').slice(-20_000))
    },
    isWell,
    stop,
    async kill() {
      const launcher = server
      const ended = launcher && isRunning() ? once(launcher, 'exit') : undefined
      const count = await (network ? network.killAll() : endProcesses(() => (launcher ? treeOf(launcher) : [])))
      await ended
      return count
    },
    inNetwork,
    async close() {
      for (const tree of servers.map(treeOf)) await endProcesses(() => tree)
      await network?.end()
    },
  }
}

const LONG_LIST = { encoding: 'utf8', maxBuffer: 64e6 } as const

/** One file: Node alone does not read all packages that the client of the browser's protocol needs. */
async function buildVisitor(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'tests/package/visit-server.ts',
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'visit-server.mjs' } },
    },
  })
}
