import { sql } from 'kysely'
import { errorText, ProductError } from '#contracts/errors.ts'
import {
  applyLicence,
  downloadLicence,
  LICENCE_STATUS,
  type LicenceAnswer,
  type LicenceRefusal,
  licenseRemind,
  previewLicence,
  showLicence,
} from '#contracts/http/licence.ts'
import { applyProblem, REMIND_DAYS, writeRequest } from '#domain/licence.ts'
import { type LicenceTerms, licenceCodeOf } from '#engines/licence/licence-code.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { countUsed } from '../../platform/licence/licence-quota.ts'
import { CLOCK, type LicenceStatus } from '../../platform/licence/open-licence.ts'
import { resolveQuery } from '../../query/resolve-query.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { licenceFile } from './licence-file.ts'
import { remindMessage } from './remind-message.ts'

const HISTORY = 50
/** Advisory lock: of two submissions the second sees the first. */
const APPLY_LOCK = 0x6c_69_63_65

/** The platform licence: what holds, its renewal, its file, and the reminder. */
export const licenceModule: Module = (mount, deps) => {
  const { meta, licence, now, settings } = deps
  const { db } = meta

  /** Why a code is refused, and its terms where the signature is good. */
  function examine(code: string): {
    refusal: LicenceRefusal | null
    terms: LicenceTerms | null
    signer: string | null
  } {
    const read = licence.read(code)
    const { terms: current, machine, hasKeys } = licence.status()
    if (!read.ok)
      return { refusal: read.problem === 'signature' && !hasKeys ? 'no_keys' : read.problem, terms: null, signer: null }
    const refusal = applyProblem(read.terms, { machine, now: now(), current })
    return { refusal, terms: read.terms, signer: read.signer }
  }

  mount(showLicence, async ({ caller }) => ({ data: await answer(caller) }))

  mount(previewLicence, ({ body }) => {
    const { refusal, terms } = examine(body.code)
    return { data: { refusal, terms } }
  })

  mount(applyLicence, async ({ body, caller, audit }) => {
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${APPLY_LOCK})`.execute(tx)
      await licence.refresh()
      const { refusal, terms, signer } = examine(body.code)
      const { terms: before } = licence.status()
      audit(terms?.id ?? '', [terms?.customer, refusal].filter(Boolean).join(', '))
      if (refusal === 'empty') throw new ProductError('licence.code_empty')
      if (refusal === 'format') throw new ProductError('licence.format', {}, { reason: refusal })
      if (refusal !== null || terms === null) throw new ProductError('licence.invalid', {}, { reason: refusal })
      audit(terms.id, `${terms.customer}, ${signer}`, changesBetween(before ?? undefined, terms))
      await tx
        .insertInto('licences')
        .values({ code: licenceCodeOf(body.code), applied_at: now(), applied_by: caller.username })
        .execute()
      // Its issuer knows what time it is: a clock that agrees with a new licence is right, whatever was seen before.
      await tx
        .updateTable('settings')
        .set({ value: JSON.stringify({ highest: now(), back: false }) })
        .where('key', '=', CLOCK)
        .execute()
    })
    await licence.refresh()
    await meta.notify(CHANNELS.changed, { what: 'licence' })
    // Open sessions: whether something may be created belongs to their rights.
    await meta.notify(CHANNELS.changed, { what: 'roles' })
    return { data: await answer(caller) }
  })

  mount(downloadLicence, async ({ query, reply }) => {
    const row = await db
      .selectFrom('licences')
      .selectAll()
      .$if(query.id !== undefined, (find) => find.where('id', '=', Number(query.id)))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row) throw new ProductError(query.id === undefined ? 'licence.missing' : 'data.missing')
    const read = licence.read(row.code)
    const terms = read.ok ? read.terms : null
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(`${terms?.id ?? `licence-${row.id}`}.awl`))
    reply.header('x-content-type-options', 'nosniff')
    return terms ? licenceFile(terms, row.code) : `${row.code}\n`
  })

  mount(licenseRemind, ({ caller }) => {
    const status = licence.status()
    const isOver = status.problem !== null
    return {
      status: isOver ? LICENCE_STATUS.expired : LICENCE_STATUS.valid,
      message: isOver || status.daysLeft <= REMIND_DAYS ? remindMessage(status, caller.language, settings().zone) : '',
      days: status.daysLeft,
    }
  })

  async function answer(caller: Pick<Caller, 'language'>): Promise<LicenceAnswer> {
    const status = licence.status()
    const { terms, machine, clock } = status
    const rows = await db.selectFrom('licences').selectAll().orderBy('id', 'desc').limit(HISTORY).execute()
    const devices = await db
      .selectFrom('installs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    return {
      kind: status.kind,
      problem: status.problem,
      message: messageOf(status, caller.language),
      macs: [...machine.macs],
      product_code: machine.product,
      request: writeRequest(machine),
      begin: terms?.not_before ?? status.installedAt,
      deadline: status.deadline,
      days_remaining: status.daysLeft,
      grace_until: status.graceUntil,
      apps_used: await countUsed(db, 'applications'),
      apps_licensed: terms?.applications ?? null,
      users_used: await countUsed(db, 'users'),
      users_licensed: terms?.users ?? null,
      devices_used: Number(devices.count),
      devices_licensed: terms?.devices ?? null,
      events_today: await eventsToday(),
      events_licensed: terms?.events_per_day ?? null,
      code: status.code,
      terms,
      signer: status.signer,
      has_keys: status.hasKeys,
      clock: { back: clock.isBack, now: clock.now, highest: clock.highest },
      history: rows.map(({ id, code, applied_at, applied_by }) => {
        const read = licence.read(code)
        return { id, applied_at, applied_by, terms: read.ok ? read.terms : null }
      }),
    }
  }

  /** null while the store is away: the page of the licence must open then too. */
  async function eventsToday(): Promise<number | null> {
    const query = { range: 'today', timeBasis: 'received' as const, filters: [], compare: 'none' as const }
    try {
      return await deps.store.count(resolveQuery(query, { apps: 'all' }, now(), settings().zone))
    } catch {
      // Nothing is lost: the page says that the number is not known now.
      return null
    }
  }
}

/** The required words of a state without a licence that holds (LIC-01). */
function messageOf({ kind, problem, terms }: LicenceStatus, language: Caller['language']): string {
  if (problem === null || kind === 'trial') return ''
  return errorText(terms ? 'licence.invalid' : 'licence.missing', language)
}
