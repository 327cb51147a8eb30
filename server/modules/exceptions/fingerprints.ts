import type { Insertable, Selectable } from 'kysely'
import type { ExceptionKind } from '#domain/exceptions.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { identify } from '#engines/stack/failure-group.ts'
import { readStack } from '#engines/stack/read-stack.ts'
import type { Frame } from '#engines/stack/stack.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { ServerDeps } from '../../http/module.ts'
import { retraceStack } from './symbols.ts'

export type Fingerprint = Selectable<Database['exception_fingerprints']>
type Deps = Pick<ServerDeps, 'meta' | 'files' | 'store' | 'now'>

/** Fingerprints that one request looks at for the first time, at most; the others are named by a later one. */
const AT_ONCE = 400
/** What gave no information, since its detail was dropped or never sent, is looked at again after so long. */
const LOOK_AGAIN_MS = 3_600_000

/** Whether a look at its newest event may tell more than is known. */
export function mayTellMore(known: Fingerprint | undefined, now: number): boolean {
  return known === undefined || (known.type === '' && known.looked_at < now - LOOK_AGAIN_MS)
}

/** What these fingerprints stand for, as far as it is known. */
export async function knownFingerprints(
  deps: Pick<Deps, 'meta'>,
  fingerprints: readonly string[],
): Promise<Fingerprint[]> {
  if (fingerprints.length === 0) return []
  return deps.meta.db
    .selectFrom('exception_fingerprints')
    .selectAll()
    .where((where) => where('fingerprint', '=', where.fn.any(where.val([...fingerprints]))))
    .execute()
}

/**
 * Looks at the newest event of each fingerprint: what was thrown where, and the group that it belongs to once its names are given back.
 * Answers how many belong to another group than before.
 */
export async function learnFingerprints(deps: Deps, scope: Scope, fingerprints: readonly string[]): Promise<number> {
  // Several applications may have one: it is listed once.
  const asked = [...new Set(fingerprints)].slice(0, AT_ONCE)
  if (asked.length === 0) return 0
  const samples = await deps.store.exceptionSamples(await existing(deps, scope), asked)
  const before = new Map((await knownFingerprints(deps, asked)).map((one) => [one.fingerprint, one]))
  let moved = 0
  for (const sample of samples) {
    const row = await describeSample(deps, sample)
    const old = before.get(sample.group)
    // Retention drops the detail of old events: what was known before stays.
    if (old && row.type === '' && old.type !== '') continue
    await deps.meta.db
      .insertInto('exception_fingerprints')
      .values(row)
      .onConflict((conflict) => conflict.columns(['application_id', 'fingerprint']).doUpdateSet(row))
      .execute()
    if (row.group_id === (old?.group_id ?? row.fingerprint)) continue
    moved++
    await moveTriageState(deps, row.application_id, old?.group_id ?? row.fingerprint, row.group_id)
  }
  return moved
}

/** Events of an application may outlive it: until their erasure is over, or where the database is an older copy than the store. */
async function existing({ meta }: Pick<Deps, 'meta'>, { apps }: Scope): Promise<Scope> {
  const rows = await meta.db
    .selectFrom('applications')
    .select('id')
    .$if(apps !== 'all', (query) => query.where('id', 'in', [0, ...(apps as readonly number[])]))
    .execute()
  return { apps: rows.map(({ id }) => id) }
}

async function describeSample(deps: Deps, sample: EventRow): Promise<Insertable<Database['exception_fingerprints']>> {
  const { stack: text, reason } = detailOf(sample)
  const app = Number(sample.app)
  const origin = originOf(sample)
  if (text === '' && reason === '') return nameless(sample, deps.now())
  const raw = identify(readStack(text), reason, origin)
  const retraced = raw.obfuscated ? await retraceStack(deps, app, sample.version, readStack(text)) : undefined
  const identity = retraced ? identify(retraced.stack, reason, origin) : raw
  return {
    application_id: app,
    fingerprint: sample.group,
    kind: sample.type as ExceptionKind,
    group_id: retraced ? identity.fingerprint : sample.group,
    type: (identity.cause?.relation === 'thread' ? reason : identity.cause?.type || reason).slice(0, 300),
    culprit: identity.culprit ? frameName(identity.culprit).slice(0, 300) : '',
    version: sample.version,
    platform: sample.platform,
    obfuscated: identity.obfuscated,
    symbols: retraced?.symbols ?? null,
    looked_at: deps.now(),
  }
}

/** Nothing is known but that it happened. */
function nameless(sample: EventRow, now: number): Insertable<Database['exception_fingerprints']> {
  return {
    application_id: Number(sample.app),
    fingerprint: sample.group,
    kind: sample.type as ExceptionKind,
    group_id: sample.group,
    type: '',
    culprit: '',
    version: sample.version,
    platform: sample.platform,
    obfuscated: false,
    symbols: null,
    looked_at: now,
  }
}

/** Stack and reason of a failure as it was sent; '' for what it has not. */
export function detailOf(row: EventRow): { stack: string; reason: string } {
  const detail = (row.extra['detail'] ?? {}) as Record<string, unknown>
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  return { stack: textOf(detail['stack']), reason: textOf(detail['reason']) }
}

export function originOf(row: EventRow) {
  const name = row.extra['package_name']
  return {
    app: Number(row.app),
    type: EVENT_TYPES[row.type as ExceptionKind].code,
    version: row.version,
    packageName: typeof name === 'string' ? name : '',
  }
}

/** `com.example.Pay.onBill`, `libpay.so sign`, `pay.ts format`. */
function frameName(frame: Frame): string {
  const file = frame.module.slice(frame.module.lastIndexOf('/') + 1)
  if (frame.language === 'java') return `${frame.module}.${frame.name}`
  return `${file} ${frame.name || (frame.address && `+0x${frame.address}`) || (frame.line ? `:${frame.line}` : '')}`.trim()
}

/** State and history go with a fingerprint that was the last of its group, unless somebody dealt with the new one already. */
async function moveTriageState({ meta }: Pick<Deps, 'meta'>, app: number, from: string, to: string): Promise<void> {
  await meta.db.transaction().execute(async (tx) => {
    const left = await tx
      .selectFrom('exception_fingerprints')
      .select('fingerprint')
      .where('application_id', '=', app)
      .where('group_id', '=', from)
      .limit(1)
      .executeTakeFirst()
    if (left) return
    const taken = await tx
      .selectFrom('exception_groups')
      .select('group_id')
      .where('application_id', '=', app)
      .where('group_id', '=', to)
      .executeTakeFirst()
    if (!taken)
      await tx
        .updateTable('exception_groups')
        .set({ group_id: to })
        .where('application_id', '=', app)
        .where('group_id', '=', from)
        .execute()
    await tx
      .updateTable('exception_history')
      .set({ group_id: to })
      .where('application_id', '=', app)
      .where('group_id', '=', from)
      .execute()
  })
}
