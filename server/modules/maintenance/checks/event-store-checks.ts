import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Check, CheckDeps, Found } from './check.ts'

/** A damaged block ends the store's process once; the next one reads the whole file before it says so. */
const REOPEN_MS = 120_000
const POLL_MS = 300
/** Named by repair-store.ts and convert-format.ts. */
const SET_ASIDE = /^events\.duckdb(\.wal)?\.damaged-/
const CONVERSION = /^(events\.converting\.duckdb(\.wal)?|restored\.duckdb)$/

/** File and log of the event store can be read, every block of it. */
const eventsFile: Check = {
  id: 'events.file',
  async find(deps, signal) {
    let { problem } = await deps.store.status()
    let rows = 0
    if (!problem)
      try {
        ;({ rows } = await deps.store.examine())
      } catch (error) {
        problem = await problemAfter(deps, signal)
        if (!problem) throw error
      }
    if (!problem) return { checked: rows, found: [] }
    if (problem.kind !== 'damaged')
      return {
        checked: 0,
        found: [
          { name: 'events.duckdb', text: 'events_refused', params: { detail: problem.detail }, repairable: false },
        ],
      }
    const backup = await newestStore(deps)
    const source = backup ?? '—'
    const params = { detail: problem.detail, source }
    return { checked: 1, found: [{ name: 'events.duckdb', text: 'events_damaged', params, repairable: true }] }
  },
  async repair(deps) {
    const backup = await newestStore(deps)
    await deps.store.repair(backup && join(backup, 'events/events.duckdb'))
  },
}

async function problemAfter({ store }: CheckDeps, signal: AbortSignal) {
  const until = performance.now() + REOPEN_MS
  while (performance.now() < until && !signal.aborted) {
    await sleep(POLL_MS)
    const status = await store.status().catch(() => undefined) // it is being started again
    if (status?.problem && status.problem.kind !== 'opening') return status.problem
    if (status && !status.problem) return undefined
  }
  return undefined
}

async function newestStore({ backups }: CheckDeps): Promise<string | undefined> {
  return (await backups()).find((folder) => existsSync(join(folder, 'events/events.duckdb')))
}

const duplicates: Check = {
  id: 'events.duplicates',
  async find({ store }) {
    const { rows, duplicates: twice } = await store.examine()
    const { count, examples } = twice
    if (count === 0) return { checked: rows, found: [] }
    const found: Found = { name: examples.join(' '), text: 'duplicate', params: { count }, count, repairable: true }
    return { checked: rows, found: [found] }
  },
  repair: ({ store }) => store.mend(['duplicates']),
}

const firstSeen: Check = {
  id: 'events.first_seen',
  async find({ store }) {
    const { rows, firstSeen: missing } = await store.examine()
    const { count } = missing
    if (count === 0) return { checked: rows, found: [] }
    return {
      checked: rows,
      found: [{ name: 'first_seen', text: 'first_seen', params: { count }, count, repairable: true }],
    }
  },
  repair: ({ store }) => store.mend(['firstSeen']),
}

const keys: Check = {
  id: 'events.keys',
  async find({ store }) {
    const { rows, keyless } = await store.examine()
    const { count, from, to } = keyless
    if (count === 0) return { checked: rows, found: [] }
    const name = [from, to].map((at) => (at === null ? '?' : new Date(at).toISOString())).join(' … ')
    return { checked: rows, found: [{ name, text: 'keyless', params: { count }, count, repairable: false }] }
  },
  repair: nothing,
}

const setAside: Check = {
  id: 'events.set_aside',
  async find({ config }) {
    const names = await readdir(config.paths.events)
    const found = names.flatMap((name): Found[] => {
      if (SET_ASIDE.test(name)) return [{ name, text: 'set_aside', repairable: true }]
      // A conversion that is under way has its own files: only what an open store did not take back is left.
      return CONVERSION.test(name) ? [{ name, text: 'conversion_left', repairable: true }] : []
    })
    return { checked: names.length, found }
  },
  async repair({ config, store }, { name, text }) {
    if (text === 'conversion_left' && (await store.status()).state === 'down')
      throw new Error('the event store is not open: it may still need this file')
    await rm(join(config.paths.events, name), { force: true })
  },
}

export function nothing(): Promise<void> {
  return Promise.reject(new Error('this cannot be repaired'))
}

export const EVENT_STORE_CHECKS: readonly Check[] = [eventsFile, duplicates, firstSeen, keys, setAside]
