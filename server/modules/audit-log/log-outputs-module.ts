import { randomUUID } from 'node:crypto'

import { createSecureContext, rootCertificates } from 'node:tls'
import { ProductError } from '#contracts/errors.ts'
import { deleteLogOutput, logOutputs, saveLogOutput, testLogOutput } from '#contracts/http/audit-log.ts'
import type { Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { webhookProblem } from '../../platform/outgoing/target-check.ts'
import {
  type OutputRow,
  type OutputTarget,
  openOutputTarget,
  outputSecret,
  sealOutputTarget,
  toLogOutput,
} from './log-output.ts'
import { sendLog } from './send-log.ts'

const MOST_OUTPUTS = 10
const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$|^[0-9A-Fa-f:.]{2,45}$/

/** Where copies of the audit trail go: syslog servers and webhooks. */
export const logOutputsModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const lastEntry = async () =>
    Number(
      (
        await db
          .selectFrom('audit_log')
          .select((eb) => eb.fn.max('id').as('id'))
          .executeTakeFirst()
      )?.id ?? 0,
    )

  async function find(id: string): Promise<OutputRow> {
    const row = await db.selectFrom('log_outputs').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return row
  }

  mount(logOutputs, async ({ caller }) => {
    const [rows, last] = await Promise.all([
      db.selectFrom('log_outputs').selectAll().orderBy('created_at').orderBy('id').execute(),
      lastEntry(),
    ])
    const mayChange = caller.auth.includes('platform.settings')
    return { data: rows.map((row) => toLogOutput(deps.secret, row, last, mayChange)) }
  })

  mount(saveLogOutput, async ({ body, audit }) => {
    const before = body.id === undefined ? undefined : await find(body.id)
    if (before && before.kind !== body.kind) throw new ProductError('input.invalid', { detail: 'kind' })
    const old = before && openOutputTarget(deps.secret, before)
    const ca = old && 'ca' in old ? old.ca : ''
    const target = checkTarget(
      body.kind === 'syslog' ? { ...body, ca: body.ca ?? ca } : body,
      deps.settings().webhook_private,
    )
    if (!before) {
      const { count } = await db
        .selectFrom('log_outputs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_OUTPUTS) throw new ProductError('quota.reached', { detail: String(MOST_OUTPUTS) })
    }
    const last = await lastEntry()
    const lastCheckpoint = await db
      .selectFrom('audit_checkpoints')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirst()
    const row: OutputRow = {
      id: before?.id ?? randomUUID(),
      kind: body.kind,
      name: body.name,
      target: sealOutputTarget(deps.secret, target),
      enabled: body.enabled,
      position: body.history ? 0 : (before?.position ?? last),
      checkpoint_position: body.history ? 0 : (before?.checkpoint_position ?? Number(lastCheckpoint?.id ?? 0)),
      created_at: before?.created_at ?? deps.now(),
      last_sent_at: before?.last_sent_at ?? null,
      // A changed output is tried at once.
      attempts: 0,
      next_at: null,
      error: '',
    }
    await db
      .insertInto('log_outputs')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    const shown = (one: OutputRow | undefined) =>
      one && { ...toLogOutput(deps.secret, one, last, false), waiting: undefined, position: undefined }
    audit(
      `log output ${row.name}`,
      body.kind,
      changesBetween(shown(before), shown(row) ?? null, { skip: ['id', 'last_sent_at', 'error', 'next_at'] }),
    )
    return {
      data: toLogOutput(deps.secret, row, last, true),
      ...(body.kind === 'webhook' && !before && { secret: outputSecret(deps.secret, row.id) }),
    }
  })

  mount(deleteLogOutput, async ({ body, audit }) => {
    const row = await find(body.id)
    await db.deleteFrom('log_outputs').where('id', '=', body.id).execute()
    audit(`log output ${row.name}`, row.kind)
    return {}
  })

  mount(testLogOutput, async ({ body, audit }) => {
    const row = await find(body.id)
    let error = ''
    try {
      await sendLog(
        { secret: deps.secret, internal: () => deps.settings().webhook_private, now: deps.now },
        row,
        [],
        [],
      )
    } catch (reason) {
      error = (reason as Error).message.slice(0, 300)
    }
    audit(`log output ${row.name}`, error === '' ? 'sent' : error)
    return { data: { sent: error === '', error } }
  })
}

type TargetBody = { kind: 'syslog'; host: string; port: number; ca: string } | { kind: 'webhook'; url: string }

/** Throws input.invalid with the field that is wrong. */
function checkTarget(body: TargetBody, internal: boolean): OutputTarget {
  if (body.kind === 'webhook') {
    const problem = webhookProblem(body.url, internal)
    if (problem) throw new ProductError('input.invalid', { detail: `url: ${problem}` })
    return { url: body.url }
  }
  const host = body.host.replace(/^\[|\]$/g, '')
  if (!HOST.test(host)) throw new ProductError('input.invalid', { detail: 'host' })
  if (body.ca !== '') {
    try {
      createSecureContext({ ca: [...rootCertificates, body.ca] })
      if (!body.ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate')
    } catch {
      throw new ProductError('input.invalid', { detail: 'ca' })
    }
  }
  return { host, port: body.port, ca: body.ca }
}
