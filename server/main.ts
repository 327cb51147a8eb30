import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { log, openLog } from '#runtime/log.ts'
import { type FromChild, LOG_FOLDER, type SupervisedProcess } from '#runtime/start-process.ts'
import { type BundledPostgres, startBundledPostgres } from '#storage/postgres/bundled.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import packageFile from '../package.json' with { type: 'json' }
import { type Config, readConfig } from './config.ts'
import { connectCollector } from './processes/collector-link.ts'
import { checkPort, portProblem } from './processes/port-problem.ts'
import type { Program } from './programs.ts'
import { claimFolder } from './supervisor/claim-folder.ts'
import { endLeftovers, recordChildren } from './supervisor/leftover-children.ts'
import { type ChildSupervisor, type SuperviseOptions, superviseChild } from './supervisor/supervise-child.ts'
import { RESTART, superviseUpdates } from './supervisor/supervise-updates.ts'

/**
 * The supervisor: starts PostgreSQL and the processes of this node's roles, restarts one that ends or hangs, stops all in the reverse
 * order. It holds no data and answers no request, so that nothing a request does can take it down.
 */
const started = performance.now()
const startedAt = Date.now()
const config = configOrExit()
mkdirSync(join(config.dataFolder, 'run'), { recursive: true, mode: 0o700 })
const release = claimOrExit(config.dataFolder)

/**
 * For processes whose large buffers come and go (tables that grow, bodies, blocks): glibc keeps what was freed between them, 60 MB
 * and more, unless each large one is mapped by itself. The operator's environment wins.
 */
const LEAN = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  ...process.env,
}
/** Half of V8's default nursery, in MB: what these programs allocate lives for one step of theirs, and fits. */
const SMALL_NURSERY = '--max-semi-space-size=8'
/**
 * The old generation is collected whenever half as much again lives there. By itself V8 lets it grow to a multiple, and on a busy
 * machine further: a store of 50 MB stood at 370. Costs ingest nothing that can be measured.
 */
const STEADY_HEAP = '--heap-growing-percent=50'
const ENV = { ...LEAN, [LOG_FOLDER]: config.paths.logs }
openLog({ process: 'supervisor', folder: config.paths.logs, terminal: 'info' })
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}) // a closed terminal ends nothing
process.on('uncaughtException', (err, origin) => {
  log.fatal({ err, origin }, 'an unexpected error ends the supervisor')
  void stop(1)
})
let stopping = false
let ending = false
let stopped: Promise<void> | undefined
let postgres: BundledPostgres | undefined
const children: ChildSupervisor[] = []
const postgresEnds: SupervisedProcess['ends'] = []
let postgresSince: number | null = null
const record = recordChildren(config.dataFolder)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))

const updates = config.home === undefined ? undefined : superviseUpdates(config, config.home, stopProcesses)

try {
  const killed = await endLeftovers(config.dataFolder)
  if (killed > 0) log.warn(`ended ${killed} processes of an earlier start that did not end by themselves`)
  if ((await updates?.atStart()) === 'restart') await stop(RESTART)
  await checkPort(config)
  if (updates) {
    const collector = connectCollector(config.paths.collectorSocket)
    const next = await updates.prove(startProduct(), collector.health).finally(collector.close)
    if (next === 'restart') await stop(RESTART)
  } else await startProduct()
} catch (error) {
  log.fatal({ err: error }, portProblem(error, config) ?? (error instanceof Error ? error.message : String(error)))
  await stop(1)
}

async function startProduct(): Promise<void> {
  // The store opens its file while PostgreSQL starts. Nothing waits for it: events are taken while it is away.
  startStore().catch((error: Error) => log.error({ err: error }, 'the event store is not available'))
  const database = await startMetadata(config)
  // First the owner of journal and port, which brings the database's tables up to date for the others.
  await startCollector(database)
  await Promise.all([
    config.roles.includes('web') && startConsole(database),
    config.roles.includes('relay') && startRelay(database),
    config.roles.includes('jobs') && startJobs(database),
  ])
  log.info(`Ready on ${addressOf(config)} after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (config.demo) startDemo(config)
}

async function startMetadata({ databaseUrl, paths }: Config): Promise<DatabaseAddress> {
  if (databaseUrl) return { connectionString: databaseUrl }
  const begin = async () => {
    postgres = await startBundledPostgres(paths.postgres, logPostgres)
    postgresSince = Date.now()
    tellProcesses()
    void postgres.ended.then(async () => {
      postgresSince = null
      if (!stopping) postgresEnds.push({ at: Date.now(), reason: 'ended' })
      tellProcesses()
      // Killed from outside: its own recovery brings back every committed row, and clients of the pool connect again.
      for (let wait = 100; !stopping; wait = Math.min(wait * 2, 5000)) {
        log.warn({ child: 'postgres' }, 'PostgreSQL ended, starting it again')
        await new Promise((wake) => setTimeout(wake, wait))
        if (stopping) return
        const failure = await begin().then(
          () => undefined,
          (error: Error) => error,
        )
        if (!failure) return
        log.error({ child: 'postgres', err: failure }, 'PostgreSQL does not start')
      }
    })
    return postgres.address
  }
  mkdirSync(paths.postgres, { recursive: true, mode: 0o700 })
  return begin()
}

/** Its own lines go to the log file; on the terminal only what ends it: a start refuses every early connection with a FATAL line. */
function logPostgres(line: string): void {
  if (line.includes('PANIC:')) log.error({ child: 'postgres' }, `postgres: ${line}`)
  else log.info({ child: 'postgres', quiet: true }, `postgres: ${line}`)
}

function startStore(): Promise<void> {
  const { events, journal, storeSocket, journalSocket } = config.paths
  const options = { folder: events, journalFolder: journal, storeSocket, journalSocket }
  return child('store', 'store-process', options, { execArgv: [SMALL_NURSERY, STEADY_HEAP] })
}

function startCollector(database: DatabaseAddress): Promise<void> {
  return child('collector', 'collector-process', { database }, { execArgv: [STEADY_HEAP], essential: true })
}

function startConsole(database: DatabaseAddress): Promise<void> {
  const execArgv = [SMALL_NURSERY, STEADY_HEAP]
  const onMessage = ({ update }: FromChild) => update && updates?.run(() => void stop(RESTART))
  return child('console', 'console-process', { database }, { execArgv, essential: true, onMessage })
}

function startRelay(database: DatabaseAddress): Promise<void> {
  const { journal, journalSocket, storeSocket, relaySocket } = config.paths
  const { demo } = config
  const options = {
    journalFolder: journal,
    journalSocket,
    storeSocket,
    database,
    listen: { socket: relaySocket },
    demo,
  }
  return child('relay', 'relay-process', options, { execArgv: [SMALL_NURSERY, STEADY_HEAP], essential: true })
}

function startJobs(database: DatabaseAddress): Promise<void> {
  return child('jobs', 'jobs-process', { database }, { execArgv: [SMALL_NURSERY], essential: true })
}

/** The demo speaks to the product through its public addresses alone; when it dies the product goes on. */
function startDemo(config: Config): void {
  const phonePort = config.simulatedPhone ? config.adb.port : null
  const options = { url: addressOf(config), dataFolder: config.dataFolder, phonePort, marketPorts: config.demoMarkets }
  // It makes a few packages and then waits: collected early, it takes 28 MB instead of 58.
  const execArgv = ['--max-semi-space-size=2', '--max-old-space-size=128']
  child('demo', 'demo', options, { execArgv, liveness: false }).catch((error: Error) => log.error(error.message))
}

/** Starts one program with its options and keeps it running. Resolves once it works. */
function child(
  name: string,
  program: Program,
  options: object,
  how: Pick<SuperviseOptions, 'execArgv' | 'essential' | 'liveness' | 'onMessage'>,
): Promise<void> {
  const supervisor = superviseChild(program, {
    name,
    options,
    record,
    stopped: () => stopping,
    onChange: tellProcesses,
    env: ENV,
    ...how,
  })
  children.push(supervisor)
  tellProcesses()
  return supervisor.ready
}

/** Says which processes run, to the one that measures them (server/modules/environment). */
function tellProcesses(): void {
  const self = { name: 'supervisor', pid: process.pid, since: startedAt, restarts: 0, ends: [] }
  const database = postgres && {
    name: 'postgres',
    pid: postgresSince === null ? null : postgres.pid,
    since: postgresSince,
    restarts: postgresEnds.length,
    ends: postgresEnds.slice(-50),
  }
  const states = children.map((one) => one.state())
  const processes = [self, ...(database ? [database] : []), ...states]
  const collector = states.findIndex(({ name }) => name === 'collector')
  children[collector]?.send({ processes })
}

/** Ends every process of the product but this one, in the reverse order. */
function stopProcesses(): Promise<void> {
  if (children.length === 0 && !postgres) return Promise.resolve() // nothing was started yet, and may be started still
  stopping = true
  stopped ??= (async () => {
    for (const one of children.reverse()) await one.stop()
    await postgres?.stop()
  })()
  return stopped
}

async function stop(code: number): Promise<void> {
  if (ending) return
  ending = true
  updates?.close()
  await stopProcesses().catch((error: unknown) => log.error({ err: error }, 'a process did not end'))
  release()
  process.exit(code)
}

function configOrExit(): Config {
  try {
    return readConfig(process.env, packageFile.version)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

function claimOrExit(folder: string): () => void {
  try {
    // cli/restore.ts: entries are being swapped in, and empty stores must not take their names.
    if (existsSync(join(folder, 'restoring', '.ready')))
      throw new Error('A restore was interrupted: run `appwarden restore` with the same backup again, then start.')
    return claimFolder(folder)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

function addressOf({ host, port, loopback, tls }: Config): string {
  return `${tls || !loopback ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
