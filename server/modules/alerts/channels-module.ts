import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  alertChannels,
  alertDeliveries,
  deleteAlertChannel,
  saveAlertChannel,
  testAlertChannel,
} from '#contracts/http/alerts.ts'
import type { Channel } from '#domain/alerts.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { webhookProblem } from '../../platform/outgoing/target-check.ts'
import { type ChannelRow, carry, webhookSecret } from './carry.ts'
import { readKeyNames } from './key-names.ts'
import { sees } from './rule-row.ts'
import { mailAddresses } from './send-mail.ts'

const MOST_CHANNELS = 50

/** Webhooks and mail lists: list, change, test, and the log of what they carried. */
export const channelsModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(alertChannels, async () => {
    const rows = await db
      .selectFrom('alert_channels')
      .selectAll()
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return { data: await tellChannels(deps, rows), mail: deps.config.smtpUrl !== undefined }
  })

  mount(saveAlertChannel, async ({ body, audit, caller }) => {
    const { channel } = body
    const bad =
      channel.kind === 'webhook'
        ? webhookProblem(channel.target, deps.settings().webhook_private)
        : mailAddresses(channel.target)
          ? undefined
          : 'addresses'
    if (bad) throw new ProductError('input.invalid', { detail: `target: ${bad}` })
    audit(`alert channel ${channel.name}`, `${channel.kind} ${channel.target}`)
    if (body.id === undefined) {
      const { count } = await db
        .selectFrom('alert_channels')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (count >= MOST_CHANNELS) throw new ProductError('quota.reached', { detail: String(MOST_CHANNELS) })
      const row = await db
        .insertInto('alert_channels')
        .values({
          id: randomUUID(),
          ...channel,
          turn: 1,
          created_by: caller.username,
          created_at: deps.now(),
          deleted_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return told(row, true)
    }
    const found = await channelOf(deps, body.id)
    if (found.kind !== channel.kind) throw new ProductError('input.invalid', { detail: 'kind' })
    const row = await db
      .updateTable('alert_channels')
      .set({ ...channel, turn: found.turn + (body.rotate ? 1 : 0) })
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return told(row, body.rotate)
  })

  async function told(row: ChannelRow, withSecret: boolean) {
    const [data] = await tellChannels(deps, [row])
    return {
      data: data as Channel,
      secret: withSecret && row.kind === 'webhook' ? webhookSecret(deps.secret, row) : null,
    }
  }

  mount(deleteAlertChannel, async ({ body, audit }) => {
    const found = await channelOf(deps, body.id)
    await db
      .updateTable('alert_channels')
      .set({ deleted_at: deps.now(), enabled: false })
      .where('id', '=', found.id)
      .execute()
    audit(`alert channel ${found.name}`)
    return {}
  })

  mount(testAlertChannel, async ({ body, audit }) => {
    const found = await channelOf(deps, body.id)
    const started = performance.now()
    const result = await carry(
      {
        secret: deps.secret,
        internal: () => deps.settings().webhook_private,
        smtpUrl: deps.config.smtpUrl,
        names: () => readKeyNames(deps.meta),
        now: deps.now,
      },
      found,
      { event: 'test', delivery: randomUUID(), alert: null },
    )
    audit(`alert channel ${found.name}`, result.sent ? 'test sent' : `test failed: ${result.answer.slice(0, 200)}`)
    return { data: { ...result, milliseconds: Math.round(performance.now() - started) } }
  })

  mount(alertDeliveries, async ({ query, caller }) => {
    const found = await channelOf(deps, query.channel)
    const rows = await db
      .selectFrom('alert_deliveries')
      .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
      .selectAll('alert_deliveries')
      .select(['alerts.rule_name', 'alerts.apps'])
      .where('channel_id', '=', found.id)
      .orderBy('alert_deliveries.created_at', 'desc')
      .limit(query.limit)
      .execute()
    return {
      data: rows
        .filter(({ apps }) => sees(caller.scope, apps))
        .map(({ alert_id, rule_name, channel_id: _channel, apps: _apps, ...row }) => ({
          ...row,
          alert: alert_id,
          rule: rule_name,
        })),
    }
  })
}

async function channelOf(deps: ServerDeps, id: string): Promise<ChannelRow> {
  const row = await deps.meta.db
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return row
}

async function tellChannels(deps: ServerDeps, rows: readonly ChannelRow[]): Promise<Channel[]> {
  if (rows.length === 0) return []
  const last = await deps.meta.db
    .selectFrom('alert_deliveries')
    .distinctOn('channel_id')
    .select(['channel_id', 'state', 'answer', 'created_at'])
    .where(
      'channel_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('channel_id')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ id, kind, name, target, enabled, created_by, created_at }) => {
    const one = last.find(({ channel_id }) => channel_id === id)
    return {
      id,
      kind,
      name,
      target,
      enabled,
      created_by,
      created_at,
      last: one ? { at: one.created_at, state: one.state, answer: one.answer } : null,
    }
  })
}
