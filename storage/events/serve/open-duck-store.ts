import { ProductError } from '#contracts/errors.ts'
import { type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import type { Filter, Scope } from '#domain/query.ts'
import type { JournalLink } from '../../journal/journal-reader.ts'
import { AggregateCache, type AggregateCacheLimits, type AggregateReader } from '../cache/aggregate-cache.ts'
import { AskedBefore } from '../cache/asked-before.ts'
import { CacheWarmer } from '../cache/cache-warmer.ts'
import type { FormatProgress } from '../duckdb/convert-format.ts'
import { openDuckFile } from '../duckdb/duck-file.ts'
import type { QueryContext } from '../duckdb/reader-pool.ts'
import type { Scan, Select } from '../duckdb/select.ts'
import { verifyTables } from '../duckdb/verify-tables.ts'
import type { EventStore, StorePositions, StoreQuery, StoreStatus } from '../port.ts'
import { type Selection, whereSql } from '../query/compile-query.ts'
import { duckDialect } from '../query/dialect.ts'
import { findKeys, MAX_FOUND } from '../query/find-keys.ts'
import { selectById } from '../query/select-by-id.ts'
import { answerPart, answerParts } from '../read/answer-part.ts'
import { Batch } from '../read/batch.ts'
import { listContradictions, summarizeContradictions } from '../read/contradictions.ts'
import { deviceProfile, deviceSessions } from '../read/device-profile.ts'
import { listQuarantine } from '../read/list-quarantine.ts'
import { deviceHits, scoreDevices } from '../read/score-devices.ts'
import { seedWall, selectPositions } from '../read/seed-wall.ts'
import { selectExceptionGroups, selectExceptionSamples, selectExceptionVersions } from '../read/select-exceptions.ts'
import { selectLinks } from '../read/select-links.ts'
import { selectReplay } from '../read/select-replay.ts'
import { streamRows } from '../read/stream-rows.ts'
import { eraseSubject } from '../write/erase-subject.ts'
import { type Flusher, startFlusher } from '../write/flusher.ts'
import { retainRows } from '../write/retain-rows.ts'
import { openRowWriter } from '../write/row-writer.ts'
import { examineTables, type TableFindings } from './examine-tables.ts'

export type DuckStoreOptions = {
  /** Contains events.duckdb; created when missing. */
  folder: string
  /** Memory of DuckDB; the process takes about 100 MB more. */
  memoryMb?: number
  threads?: number
  now?: () => number
  /** Limits of the aggregate cache. */
  partials?: AggregateCacheLimits
  /** Milliseconds without a question of a user, before earlier questions are prepared. */
  quietMs?: number
  /** Called once when the file must be opened again: DuckDB invalidated it, or found a damaged block. */
  onFatal?(error: Error): void
  /** Called while a file of an older format is converted. */
  onProgress?(progress: FormatProgress): void
}

/** The embedded event store in this process. */
export type DuckStore = EventStore & {
  /** The store as one caller uses it: his queries are limited and cancelled by the context. */
  within(context: QueryContext): EventStore
  /** Reads every block of the file; throws where one is damaged. */
  verify(): Promise<void>
  /** The same, and what the rows say of each other. */
  examine(): Promise<TableFindings>
  /** Starts to store the journal's entries after the stored position. Call once. */
  follow(journal: JournalLink): void
  /** Resolves once nothing is being prepared of what users asked before, with the number of questions prepared so far (CacheWarmer). */
  prepared(): Promise<number>
  /** Every device and user key that the store holds, in rows or in quarantine. */
  subjects(): Promise<Set<string>>
}

/** What only reads. */
type StoreQueries = Omit<
  EventStore,
  'erase' | 'retain' | 'snapshot' | 'load' | 'status' | 'journalEnd' | 'dropJournal' | 'close'
>

const LOAD_ROWS = 20_000
/** The store counts as behind once an entry has waited this long. */
const BEHIND_MS = 5000
/** Longest time of a question that no user waits for. */
const PREPARE_MS = 30_000

/** Opens the store. Throws where another process has it open. close() writes what was read of the journal, and the log. */
export async function openDuckStore(options: DuckStoreOptions): Promise<DuckStore> {
  const { folder, memoryMb = 288, threads = 2, now = Date.now } = options
  const { onFatal, onProgress } = options
  const file = await openDuckFile({
    folder,
    memoryMb,
    threads,
    ...(onFatal && { onFatal }),
    ...(onProgress && { onProgress }),
  })
  const initial = await file.read(async (select) => {
    const [row = []] = await select('SELECT count(*), max(received) FROM events')
    return { rows: Number(row[0]), newest: Number(row[1] ?? 0), positions: await selectPositions(select) }
  })
  let { rows, newest } = initial
  const writer = await openRowWriter(file, rows)
  const dialect = duckDialect(writer.keys)
  const partials = new AggregateCache(options.partials)
  const asked = new AskedBefore(folder, now)
  const warmer = new CacheWarmer(options.quietMs)
  const positions: StorePositions = initial.positions
  let followed: { journal: JournalLink; flusher: Flusher } | undefined

  const selectionOf = ({ span, basis, zone, filters, scope }: StoreQuery): Selection => ({
    span,
    basis,
    zone,
    filters,
    scope,
  })

  const queriesWithin = (context: QueryContext): StoreQueries => {
    const isUser = context.user !== undefined
    const fileRead: typeof file.read = (task) =>
      isUser ? warmer.giveWay(() => file.read(task, context)) : file.read(task, context)
    /** A read transaction that may use the aggregate cache. */
    const read = <T>(
      task: (select: Select, scan: Scan, reader: AggregateReader | undefined) => Promise<T>,
    ): Promise<T> => {
      const open = partials.beginRead()
      return fileRead(async (select, scan) => task(select, scan, await open(select)))
    }
    const batched = <T>(task: (batch: Batch) => Promise<T>): Promise<T> =>
      read((select, scan, reader) => task(new Batch(select, scan, dialect, reader)))

    return {
      answer: (query, part) => batched((batch) => answerPart(query, part, batch)),
      answers(query, parts) {
        if (isUser) asked.add(query, parts)
        return answerParts(query, parts, batched)
      },
      links: (query, ask) => fileRead((select) => selectLinks(query, ask, select, dialect)),
      findKeys: (head, tail, scope) => fileRead((select) => findKeys(head, tail, scope, select, dialect)),
      exceptionGroups: (query, aliases) => fileRead((select) => selectExceptionGroups(query, aliases, select, dialect)),
      exceptionVersions: (scope, fingerprints, aliases, since) =>
        fileRead((select) => selectExceptionVersions(scope, fingerprints, aliases, since, select, dialect)),
      exceptionSamples: (scope, fingerprints) =>
        fileRead((select) => selectExceptionSamples(scope, fingerprints, select, dialect)),
      event: async (app, id) => (await fileRead((select) => selectById(id, { apps: [app] }, 1, select, dialect)))[0],
      findEvents: (id, scope) => fileRead((select) => selectById(id, scope, MAX_FOUND, select, dialect)),
      stream: (query, signal) => streamRows({ read: fileRead }, selectionOf(query), dialect, signal),
      count: (query) =>
        fileRead(async (select) => {
          const [row = []] = await select(`SELECT count(*) FROM events WHERE ${whereSql(selectionOf(query), dialect)}`)
          return Number(row[0])
        }),
      async seed(filters: readonly Filter[], scope: Scope, at, zone) {
        // The rows do not end at the store's position while an older journal is compared with them.
        if (followed?.flusher.recoveringSince() !== undefined) throw new ProductError('server.store_down')
        return fileRead((select) => seedWall(filters, scope, at, zone, select, dialect))
      },
      replay: (filters, scope, span, zone, samplePerSecond) =>
        fileRead((select) =>
          selectReplay({ span, basis: 'received', zone, filters, scope }, samplePerSecond, select, dialect),
        ),
      scores: (ask, page) => read((select, scan, reader) => scoreDevices(ask, page, select, scan, dialect, reader)),
      hits: (ask, device) => read((select, _scan, reader) => deviceHits(ask, device, select, dialect, reader)),
      profile: (query) => read((select, _scan, reader) => deviceProfile(query, select, dialect, reader)),
      sessions: (query, page) => read((select, _scan, reader) => deviceSessions(query, page, select, dialect, reader)),
      contradictions: (ask) => fileRead((select) => summarizeContradictions(ask, select, dialect)),
      contradicting: (ask, page) => fileRead((select) => listContradictions(ask, page, select, dialect)),
      quarantined: (page) => fileRead((select) => listQuarantine(page, select, dialect)),
    }
  }

  /** Fills the aggregate cache, where it is empty, with what users asked before. */
  const prepareAnswers = () =>
    warmer.start(() =>
      asked.list().map(
        ({ query, parts }) =>
          (signal) =>
            queriesWithin({ signal, timeoutMs: PREPARE_MS }).answers(query, parts),
      ),
    )
  prepareAnswers()

  function followedJournal(): JournalLink {
    if (!followed) throw new ProductError('server.store_down')
    return followed.journal
  }
  const reachable = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch(() => {
      throw new ProductError('server.store_down')
    })

  const store: EventStore & Pick<DuckStore, 'follow'> = {
    ...queriesWithin({}),
    async erase(ask) {
      const erased = await partials.withInvalidation(() => eraseSubject(file, writer, ask, dialect))
      prepareAnswers()
      rows -= erased.events
      return erased
    },
    async status(): Promise<StoreStatus> {
      const { file: bytes, log } = await file.size()
      const waiting = followed?.flusher.waiting() ?? { events: 0, since: undefined }
      // What an older journal lost stays unknown until it was compared, and what is accepted meanwhile is stored after that.
      const recovering = followed?.flusher.recoveringSince()
      const since = Math.min(waiting.since ?? Infinity, recovering ?? Infinity)
      const lag = since === Infinity ? 0 : Math.max(0, now() - since)
      const isBehind = recovering !== undefined || lag > BEHIND_MS
      return {
        state: followed?.flusher.failure() ? 'down' : isBehind ? 'behind' : 'ok',
        rows,
        positions: { ...positions },
        storedTo: rows === 0 ? null : newest,
        backlogEvents: waiting.events,
        lagSeconds: lag / 1000,
        bytes: bytes + log,
      }
    },
    async journalEnd() {
      const { name, end } = followedJournal()
      return { [name]: await reachable(end()) }
    },
    async dropJournal(before) {
      const { name, dropBefore } = followedJournal()
      const position = before[name]
      return position === undefined || (await reachable(dropBefore(position)))
    },
    async retain(before, personalBefore) {
      const result = await partials.withInvalidation(() => retainRows(file, before, personalBefore))
      prepareAnswers()
      rows -= result.deleted
      return result
    },
    snapshot: (target) => file.copyTo(target),
    async load(events: readonly StoredEvent[]) {
      for (let from = 0; from < events.length; from += LOAD_ROWS) {
        const tuples = events.slice(from, from + LOAD_ROWS).map(toTuple)
        await writer.write((_connection, append) => append(tuples))
        rows += tuples.length
        for (const tuple of tuples) newest = Math.max(newest, tuple[8] as number)
      }
    },
    follow(journal) {
      if (followed) throw new Error('the store follows a journal already')
      const from = positions[journal.name] ?? 0
      const flusher = startFlusher(file, writer, journal, from, now, (flushed) => {
        rows += flushed.events
        newest = Math.max(newest, flushed.newest)
        positions[flushed.journal] = flushed.position
      })
      followed = { journal, flusher }
    },
    async close() {
      await warmer.close()
      await asked.save()
      await followed?.flusher.close()
      writer.ids.close()
      await file.close()
    },
  }
  return {
    ...store,
    within: (context) => ({ ...store, ...queriesWithin(context) }),
    verify: () => verifyTables(file),
    examine: () => examineTables(file),
    prepared: () => warmer.settled(),
    async subjects() {
      const rows = await file.read((select) => select('SELECT DISTINCT device FROM quarantine'))
      const found = new Set(rows.map(([device]) => String(device)))
      for (let number = 1; number <= writer.keys.count(); number++) found.add(writer.keys.textOf(number))
      return found
    },
  }
}
