import type { EnvironmentProcess, EnvironmentSnapshot } from '#contracts/http/environment.ts'
import {
  type EnvironmentSettings,
  SAMPLE_SECONDS,
  STORED_STEPS,
  type Values,
  type Watched,
} from '#domain/environment.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type Loop, repeat } from '../../platform/queue/repeat.ts'
import { within } from '../../platform/within.ts'
import type { DatabaseReading } from './measure-database.ts'
import type { MachineReading } from './measure-machine.ts'
import { dropOldSamples, readOpenAlerts, storeSamples } from './store-samples.ts'
import { createSpans, type Span } from './summarise-samples.ts'
import { createLimitWatch } from './watch-limits.ts'

/** What the collector knows without measuring. Null: not known now. */
export type CollectorFigures = {
  stores: Omit<EnvironmentSnapshot['stores'], 'metadata'>
  values: Values
}

export type SamplerDeps = {
  meta: MetaStore
  /** Name of this node. */
  node: string
  version: string
  roles: readonly string[]
  settings(): EnvironmentSettings
  machine(): Promise<MachineReading>
  /** Of this node; the supervisor is among them. */
  processes(): Promise<EnvironmentProcess[]>
  database(now: number): Promise<DatabaseReading>
  figures(): Promise<CollectorFigures>
  /** Bytes of the folders; asked seldom, since it looks at every file. */
  sizes(): Promise<Values>
  /** Ends of this node's processes since a time. */
  endsSince(at: number): number
  /** Epoch ms. */
  now(): number
}

export type Sampler = {
  /** One sample. Never rejects: what cannot be measured is null, what cannot be stored now is stored later. */
  round(): Promise<void>
  /** Metrics whose alert is open. */
  alerts(): Watched[]
  /** Resolves when what was measured so far is stored, or could not be. */
  settled(): Promise<void>
}

const HOUR_MS = 3_600_000
const SIZES_EVERY_MS = 900_000
/** Spans that wait for the database: a day of minutes. */
const MOST_WAITING = 1600
/** A database that does not answer is away. */
const ANSWER_MS = 5000

/** Measures this node, keeps means and alerts, and stores them whenever the database is there. */
export function createSampler(deps: SamplerDeps): Sampler {
  const watch = createLimitWatch(deps.roles.includes('jobs'))
  const summaries = STORED_STEPS.map(({ seconds }) => createSpans(seconds))
  const problems = new Map<string, string>()
  let waiting: Span[] = []
  let sizes: { at: number; values: Values } | undefined
  let storing: Promise<unknown> | undefined
  let askingDatabase: Promise<DatabaseReading> | undefined
  let adopted = false
  let droppedAt = Number.NEGATIVE_INFINITY

  /** The value, or undefined with one line in the log for as long as it fails in the same way. */
  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const value = await work()
      problems.delete(what)
      return value
    } catch (error) {
      const { message } = error as Error
      if (problems.get(what) !== message) log.warn(`environment: ${what}: ${message}`)
      problems.set(what, message)
      return undefined
    }
  }

  /** One question at a time: behind one that gets no answer others would only wait. */
  async function askDatabase(at: number): Promise<DatabaseReading> {
    askingDatabase ??= deps.database(at).finally(() => {
      askingDatabase = undefined
    })
    askingDatabase.catch(() => {}) // said by `attempt`, or late
    return within(ANSWER_MS, askingDatabase)
  }

  async function measure(at: number): Promise<EnvironmentSnapshot> {
    if (!sizes || Math.abs(at - sizes.at) >= SIZES_EVERY_MS) {
      sizes = { at, values: (await attempt('sizes of folders', deps.sizes)) ?? {} }
    }
    const [machine, processes, database, figures] = await Promise.all([
      attempt('machine', deps.machine),
      attempt('processes', deps.processes),
      attempt('metadata store', () => askDatabase(at)),
      attempt('collector', deps.figures),
    ])
    const queues = database?.queues ?? []
    return {
      at,
      version: deps.version,
      started_at: processes?.find(({ name }) => name === 'supervisor')?.since ?? null,
      roles: [...deps.roles],
      machine: machine?.machine ?? UNKNOWN_MACHINE,
      processes: processes ?? [],
      queues,
      stores: {
        events: figures?.stores.events ?? 'down',
        journal: figures?.stores.journal ?? 'down',
        metadata: database ? 'ok' : 'down',
      },
      values: {
        ...sizes.values,
        ...machine?.values,
        ...figures?.values,
        queue: database ? queues.reduce((sum, one) => sum + one.waiting, 0) : null,
        connections: database?.connections ?? null,
        size_metadata: database?.bytes ?? null,
        restarts: deps.endsSince(at - HOUR_MS),
      },
    }
  }

  async function store(latest: EnvironmentSnapshot): Promise<void> {
    if (!adopted) {
      for (const alert of await readOpenAlerts(deps.meta, deps.node)) watch.adopt(alert)
      adopted = true
    }
    const spans = waiting
    const ended = watch.ended()
    await storeSamples(deps.meta, deps.node, {
      snapshot: latest,
      spans,
      alerts: [...ended, ...watch.open()],
      channels: deps.settings().channels,
    })
    waiting = waiting.filter((span) => !spans.includes(span))
    watch.forget(ended.map(({ id }) => id))
    if (Math.abs(latest.at - droppedAt) >= HOUR_MS) {
      droppedAt = latest.at
      await dropOldSamples(deps.meta, latest.at)
    }
  }

  return {
    async round() {
      const at = deps.now()
      const latest = await measure(at)
      for (const add of summaries) {
        const ended = add(at, latest.values)
        if (ended) waiting = [...waiting, ended].slice(-MOST_WAITING)
      }
      watch.judge(at, latest.values, deps.settings())
      // Behind a database that hangs nothing waits but the next storing.
      storing ??= attempt('storing samples', () => store(latest)).finally(() => {
        storing = undefined
      })
    },
    alerts: () => watch.open().map(({ metric }) => metric),
    async settled() {
      await storing
    },
  }
}

/** Samples for as long as the process runs. */
export function startSampler(sampler: Sampler): Loop {
  return repeat('environment', SAMPLE_SECONDS * 1000, sampler.round)
}

const UNKNOWN_MACHINE: EnvironmentSnapshot['machine'] = {
  processors: null,
  load: null,
  cpu_of: 'machine',
  memory_of: 'machine',
  memory_total: null,
  memory_used: null,
  disk_total: null,
  disk_free: null,
}
