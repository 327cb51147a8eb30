import type { ForkOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BundledPostgres, startBundledPostgres } from '#storage/postgres/bundled.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import packageFile from '../package.json' with { type: 'json' }
import { type Config, readConfig } from './config.ts'
import { claimFolder } from './supervisor/claim-folder.ts'
import { type Keeper, keep } from './supervisor/keep.ts'

/**
 * The supervisor: starts PostgreSQL, store, app and jobs in that order, restarts one that dies, stops all in the reverse order.
 * It holds no data and answers no request, so that nothing a request does can take it down.
 */
const started = performance.now()
const config = configOrExit()
mkdirSync(join(config.dataFolder, 'run'), { recursive: true, mode: 0o700 })
const release = claimOrExit(config.dataFolder)

/**
 * For processes whose large buffers come and go (tables that grow, bodies, blocks): glibc keeps what was freed between them, 60 MB
 * and more, unless each large one is mapped by itself. Whoever runs us may have said otherwise.
 */
const LEAN = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  ...process.env,
}
/** Half of the usual nursery, in MB: what these programs make lives for one step of theirs, and fits. */
const SMALL_NURSERY = '--max-semi-space-size=8'
/**
 * The old generation is collected whenever half as much again lives there. By itself V8 lets it grow to a multiple, and on a busy
 * machine further: a store of 50 MB stood at 370. Costs ingest nothing that can be measured.
 */
const STEADY_HEAP = '--heap-growing-percent=50'
let stopping = false
let postgres: BundledPostgres | undefined
const keepers: Keeper[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))

try {
  // The store opens its file while PostgreSQL starts; the app needs both.
  const store = startStore(config)
  const database = await startMetadata(config)
  await store
  await startApp(config, database)
  if (config.roles.includes('jobs')) await startJobs(config, database)
  say(`Ready on ${addressOf(config)} after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (config.demo) startDemo(config)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await stop(1)
}

async function startMetadata({ databaseUrl, paths }: Config): Promise<DatabaseAddress> {
  if (databaseUrl) return { connectionString: databaseUrl }
  const begin = async () => {
    postgres = await startBundledPostgres(paths.postgres)
    void postgres.ended.then(async () => {
      // Killed from outside: its own recovery brings back every committed row; clients of the pool connect anew.
      for (let wait = 100; !stopping; wait = Math.min(wait * 2, 5000)) {
        say('PostgreSQL ended, starting it again')
        await new Promise((wake) => setTimeout(wake, wait))
        if (
          stopping ||
          (await begin().then(
            () => true,
            () => false,
          ))
        )
          return
      }
    })
    return postgres.address
  }
  mkdirSync(paths.postgres, { recursive: true, mode: 0o700 })
  return begin()
}

function startStore({ paths }: Config): Promise<void> {
  const options = {
    folder: paths.events,
    journalFolder: paths.journal,
    storeSocket: paths.storeSocket,
    journalSocket: paths.journalSocket,
  }
  return child('store-process', [JSON.stringify(options)], { execArgv: [SMALL_NURSERY, STEADY_HEAP], env: LEAN })
}

function startApp(_config: Config, database: DatabaseAddress): Promise<void> {
  const options = { database, boot: randomBytes(8).toString('hex') }
  return child('app-process', [JSON.stringify(options)], { execArgv: [STEADY_HEAP], env: LEAN })
}

function startJobs(_config: Config, database: DatabaseAddress): Promise<void> {
  return child('jobs-process', [JSON.stringify({ database })], { execArgv: [SMALL_NURSERY], env: LEAN })
}

/** The demo speaks to the product through its public addresses alone; when it dies the product goes on. */
function startDemo(config: Config): void {
  const phonePort = config.simulatedPhone ? config.adb.port : null
  const options = { url: addressOf(config), dataFolder: config.dataFolder, phonePort }
  // It makes a few packages and then waits: collected early, it takes 28 MB instead of 58.
  const execArgv = ['--max-semi-space-size=2', '--max-old-space-size=128']
  child('demo', [JSON.stringify(options)], { execArgv, env: LEAN }).catch((error: Error) => say(error.message))
}

function child(
  program: Parameters<typeof keep>[0],
  args: string[],
  options: Pick<ForkOptions, 'execArgv' | 'env'> = {},
): Promise<void> {
  const keeper = keep(program, args, { stopped: () => stopping, say, ...options })
  keepers.push(keeper)
  return keeper.ready
}

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  for (const keeper of keepers.reverse()) await keeper.stop()
  await postgres?.stop()
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
    return claimFolder(folder)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

function addressOf({ host, port, loopback, tls }: Config): string {
  return `${tls || !loopback ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function say(text: string): void {
  console.log(text)
}
