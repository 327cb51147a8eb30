import { isIP } from 'node:net'
import type { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '#contracts/http/settings.ts'
import type { PlaceLookup } from '#engines/geo/place.ts'
import type { JournalWriter, PositionedEntry } from '#storage/journal/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { createDedup, DEDUP_REBUILD_MS } from './dedup/dedup.ts'
import { rebuildDedup } from './dedup/rebuild-dedup.ts'
import { clientAddress } from './enrol/client-address.ts'
import { enroller } from './enrol/enrol.ts'
import { openIngestKeys } from './enrol/ingest-keys.ts'
import { openInstalls } from './enrol/installs.ts'
import { batchAcceptor } from './http/accept-batch.ts'
import { bodyIntake } from './http/body-intake.ts'
import { type CollectLogLine, collectRoutes } from './http/collect-routes.ts'
import { type IngestCounters, ingestCounters } from './http/ingest-counters.ts'
import { policyAnswerer } from './policy/policy-answer.ts'
import { openPolicyCache } from './policy/policy-cache.ts'
import { policyFetches } from './policy/policy-fetches.ts'
import { policySigner } from './policy/policy-signer.ts'
import { batchReaders } from './read/batch-readers.ts'
import { keyedHash } from './read/keyed-hash.ts'
import { knownDevices } from './read/known-devices.ts'
import type { ReadingThreadData } from './read/reading-thread.ts'

const RETRY_MS = 1000

export type { CollectLogLine }

export type IngestDeps = {
  journal: JournalWriter
  /** Durable entries that arrived since a time (epoch ms), oldest first, ending with the newest; older ones may come along. */
  recent(since: number): AsyncIterable<PositionedEntry>
  /** Backlog (bytes) from which on the journal refuses: then requests are answered before their body is read. */
  maxBacklogBytes?: number
  meta: MetaStore
  settings(): Settings
  /** Keyed hashes of devices and users: one pepper an installation. */
  pepper: Buffer
  /** Device keys are derived from it. */
  deviceMaster: Buffer
  /** The key that policies are signed with is made from it. */
  policySecret: Buffer
  /** Epoch ms. */
  now(): number
  /** Addresses or networks of proxies whose X-Forwarded-For counts. */
  trustProxy: string[]
  /** How many days of events are kept: how far back history may reach. */
  retentionDays(): number
  /** One line a request, after its answer. */
  logRequest(line: CollectLogLine): void
  lookupPlaces: PlaceLookup
  /** Starts reading-thread.ts. */
  startReader(data: ReadingThreadData): Worker
}

export type IngestStatus = IngestCounters & {
  ready: boolean
  /** Why the dedup memory could not be rebuilt at the last try, '' if it could. */
  problem: string
  /** Live events accepted, mean of the last five seconds. */
  per_second: number
  dedup: { entries: number; bytes: number; window_seconds: number }
  /** Bodies of requests in memory. */
  bodies: { bytes: number; unfinished: number }
  geo: 'ok' | 'missing'
}

export type Ingest = {
  /** Adds the collector's routes under /collect/, with their own parsers and errors. */
  routes(app: FastifyInstance): Promise<void>
  status(): IngestStatus
  /** Resolves when the memory of dedup is rebuilt; until then events are answered with 503. */
  ready: Promise<void>
  close(): Promise<void>
}

/** The collector: takes batches of events, enriches, deduplicates, and acknowledges what is in the journal. */
export async function createIngest(deps: IngestDeps): Promise<Ingest> {
  const { journal, meta, settings, now } = deps
  const counters = ingestCounters(now)
  const keys = await openIngestKeys(meta, now)
  const hash = keyedHash(deps.pepper)
  const signer = policySigner(deps.policySecret)
  const installs = openInstalls({ meta, keys, master: deps.deviceMaster, now })
  const policies = await openPolicyCache(meta)
  const fetches = policyFetches(meta)
  const dedup = createDedup()
  const intake = bodyIntake()
  const addressOf = clientAddress(deps.trustProxy)
  const address = ({ headers, socket }: FastifyRequest) => {
    const header = headers['x-forwarded-for']
    const forwarded = Array.isArray(header) ? header.join(',') : header
    // A local socket has no address: the owner of the public port connects there and has determined the client's address.
    if (socket.remoteAddress === undefined && forwarded !== undefined) return forwarded.split(',').at(-1)?.trim() ?? ''
    return addressOf(socket.remoteAddress ?? '', forwarded)
  }
  const tools = {
    hash,
    devices: knownDevices(hash, deps.lookupPlaces),
    validAddress: (text: string) => isIP(text) !== 0,
  }
  const readers = batchReaders(tools, deps.pepper, deps.startReader)
  /** When positions of the journal were last found missing or damaged: memory may lack what was there. */
  let gapAt = 0
  const unfollowGaps = journal.onGap(() => {
    gapAt = now()
    dedup.completeSince(gapAt)
  })
  /** The clock of dedup: never goes back, or an hour that comes twice would count twice. */
  let newestArrival = 0
  const newest = (arrival: number) => {
    newestArrival = Math.max(newestArrival, arrival)
    return newestArrival
  }
  let isReady = false
  let closed = false
  let problem = ''
  /** The journal may remove a segment during the rebuild, which then starts again. */
  const ready = (async () => {
    while (!isReady && !closed)
      try {
        const since = now() - DEDUP_REBUILD_MS
        newest(await rebuildDedup(dedup, deps.recent(since), since, { end: journal.durable(), now: now() }))
        if (gapAt > 0) dedup.completeSince(gapAt)
        isReady = true
        problem = ''
      } catch (error) {
        problem = (error as Error).message
        await new Promise((resume) => setTimeout(resume, RETRY_MS))
      }
  })()

  return {
    ready,
    routes: collectRoutes({
      ready: () => isReady,
      journal,
      maxBacklogBytes: deps.maxBacklogBytes ?? Number.POSITIVE_INFINITY,
      keys,
      installs,
      enrol: enroller({ keys, installs, hash, policyKey: signer.publicKey, now }),
      policy: policyAnswerer({ policies, signer, fetches, installs, keys, hash, now, address }),
      read: readers.read,
      accept: batchAcceptor({ journal, dedup, counters }),
      counters,
      settings,
      now,
      newest,
      retentionDays: deps.retentionDays,
      address,
      intake,
      logRequest: deps.logRequest,
    }),
    status: () => ({
      ...counters.totals,
      ready: isReady,
      problem,
      per_second: counters.perSecond(),
      dedup: dedup.status(newest(now())),
      bodies: intake.status(),
      geo: deps.lookupPlaces.state,
    }),
    async close() {
      closed = true
      unfollowGaps()
      intake.close()
      keys.close()
      policies.close()
      await fetches.close()
      await readers.close()
      await journal.barrier().catch(() => {}) // what was not written was not acknowledged
    },
  }
}
