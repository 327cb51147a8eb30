import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  isClockBack,
  judgeLicence,
  LICENCE_MODULES,
  type LicenceState,
  type Machine,
  machineProblem,
  missingModule,
} from '#domain/licence.ts'
import { type LicenceReading, type LicenceTerms, readLicence } from '#engines/licence/licence-code.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Config } from '../../config.ts'
import type { AuditEntry } from '../audit/audit-trail.ts'
import { repeat } from '../queue/repeat.ts'
import { makeClockWatch } from './clock-watch.ts'
import { productCodeOf, readMacs } from './machine.ts'
import { vendorKeys } from './vendor-keys.ts'

/** What the licence says now, and what it forbids. One per process that answers requests. */
export type Licence = {
  status(): LicenceStatus
  /** Reads a code with the keys of this build. */
  read(text: string): LicenceReading
  /** What was stored before the call is in `status` when the promise is kept. */
  refresh(): Promise<void>
  /** Refuses creating where the licence has ended: licence.missing without one, licence.invalid with one that no longer holds. */
  demandCreating(): void
  /** Refuses a caller whose permission items for this call all belong to a module that is not licensed: licence.module. */
  demandModule(items: readonly string[]): void
  close(): Promise<void>
}

export type LicenceStatus = LicenceState & {
  /** Of the licence that was applied last; null: none, a trial. */
  terms: LicenceTerms | null
  code: string | null
  signer: string | null
  machine: Machine
  installedAt: number
  /** Whether this build can check a signature at all. */
  hasKeys: boolean
  clock: { isBack: boolean; now: number; highest: number }
}

const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }
/** Rows of the settings table. */
const INSTALLED = 'licence.installed'
export const CLOCK = 'licence.clock'
const MISFIT = 'licence.misfit'
const TICK_MS = 60_000
/** The highest time is written in steps of this. */
const CLOCK_STEP_MS = 5 * 60_000

type Stored = {
  installedAt: number
  highest: number
  isBack: boolean
  misfitSince: number | null
  code: string | null
}

/** `audit`: entries of what the product notices by itself. `monotonic`, `macs`: of this machine, unless a test says otherwise. */
export async function openLicence(options: {
  config: Pick<Config, 'licenceKeys'>
  meta: MetaStore
  secret(name: string): Buffer
  audit(entry: AuditEntry): Promise<void>
  now(): number
  monotonic?(): number
  macs?(): string[]
}): Promise<Licence> {
  const { config, meta, secret, audit, now, monotonic = () => performance.now(), macs = readMacs } = options
  const keys = vendorKeys(config.licenceKeys)
  const product = productCodeOf(secret)
  const clock = makeClockWatch(now, monotonic)
  let machine: Machine = { product, macs: macs() }
  let stored: Stored = { installedAt: now(), highest: 0, isBack: false, misfitSince: null, code: null }
  let reading: LicenceReading | null = null

  await write(INSTALLED, { at: now() }, 'keep')
  await write(CLOCK, { highest: 0, back: false }, 'keep')
  const refreshing = await refreshOnChange(
    meta,
    async () => {
      const next = await readStored()
      if (next.code !== stored.code) reading = next.code === null ? null : readLicence(next.code, keys, gm)
      stored = next
    },
    { changes: ['licence'] },
  )
  const ticks = repeat('licence', TICK_MS, tick)

  async function readStored(): Promise<Stored> {
    const rows = await meta.db
      .selectFrom('settings')
      .selectAll()
      .where('key', 'in', [INSTALLED, CLOCK, MISFIT])
      .execute()
    const value = <T>(key: string) => rows.find((row) => row.key === key)?.value as T | undefined
    const row = await meta.db.selectFrom('licences').select('code').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return {
      installedAt: value<{ at: number }>(INSTALLED)?.at ?? now(),
      highest: value<{ highest: number }>(CLOCK)?.highest ?? 0,
      isBack: value<{ back: boolean }>(CLOCK)?.back ?? false,
      misfitSince: value<{ since: number | null }>(MISFIT)?.since ?? null,
      code: row?.code ?? null,
    }
  }

  function status(): LicenceStatus {
    const terms = reading?.ok ? reading.terms : null
    const time = now()
    const highest = Math.max(stored.highest, terms?.issued_at ?? 0)
    const state = judgeLicence({
      terms,
      installedAt: stored.installedAt,
      time: Math.max(time, highest),
      machine,
      misfitSince: stored.misfitSince,
    })
    return {
      ...state,
      terms,
      code: terms ? stored.code : null,
      signer: reading?.ok ? reading.signer : null,
      machine,
      installedAt: stored.installedAt,
      hasKeys: keys.length > 0,
      clock: { isBack: isClockBack(time, highest), now: time, highest },
    }
  }

  let said = ''
  async function tick(): Promise<void> {
    machine = { product, macs: macs() }
    await refreshing.refresh()
    const believed = clock.observe()
    if (believed > stored.highest + CLOCK_STEP_MS) await raise(believed)
    const { clock: at, kind, terms } = status()
    if (at.isBack !== stored.isBack) await noteClock(at)
    const isMisfit = terms !== null && machineProblem(terms, machine) !== null
    if (isMisfit !== (stored.misfitSince !== null)) await write(MISFIT, { since: isMisfit ? now() : null })
    // Rights in open sessions follow where the state changes by time alone.
    if (said !== '' && said !== kind) await meta.notify(CHANNELS.changed, { what: 'roles' })
    said = kind
    await refreshing.refresh()
  }

  /** The highest time only grows, whichever process of whichever node writes. */
  async function raise(highest: number): Promise<void> {
    await sql`update settings set value = jsonb_set(value, '{highest}', to_jsonb(${highest}::int8))
      where key = ${CLOCK} and (value->>'highest')::int8 < ${highest}`.execute(meta.db)
  }

  /** Says once in the audit trail that the clock went back, and once that it is right again. */
  async function noteClock({ isBack, now: time, highest }: LicenceStatus['clock']): Promise<void> {
    const changed = await sql`update settings set value = jsonb_set(value, '{back}', to_jsonb(${isBack}::boolean))
      where key = ${CLOCK} and (value->>'back')::boolean is distinct from ${isBack}`.execute(meta.db)
    if (changed.numAffectedRows === 0n) return
    await audit({
      account: 'platform',
      role: '',
      action: isBack ? 'licence.clock_back' : 'licence.clock_right',
      target: new Date(time).toISOString(),
      result: 'ok',
      address: 'local',
      detail: `highest ${new Date(highest).toISOString()}`,
    })
  }

  async function write(key: string, given: object, mode: 'keep' | 'replace' = 'replace'): Promise<void> {
    const value = JSON.stringify(given)
    await meta.db
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) =>
        mode === 'keep' ? conflict.column('key').doNothing() : conflict.column('key').doUpdateSet({ value }),
      )
      .execute()
  }

  return {
    status,
    read: (text) => readLicence(text, keys, gm),
    refresh: refreshing.refresh,
    demandCreating() {
      const { kind, terms } = status()
      if (kind === 'ended') throw new ProductError(terms ? 'licence.invalid' : 'licence.missing')
    },
    demandModule(items) {
      const { terms } = status()
      const missing = missingModule(items, terms?.modules ?? null)
      if (missing) throw new ProductError('licence.module', { module: pick(LICENCE_MODULES[missing]) })
    },
    async close() {
      await ticks.stop()
      refreshing.close()
    },
  }
}

function pick({ zh, en }: { zh: string; en: string }): { zh: string; en: string } {
  return { zh, en }
}
