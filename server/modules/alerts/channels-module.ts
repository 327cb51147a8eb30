import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  alertChannels,
  alertDeliveries,
  deleteAlertChannel,
  redeliverAlert,
  saveAlertChannel,
  testAlertChannel,
} from '#contracts/http/alerts.ts'
import { PAGES } from '#contracts/pages.ts'
import { type Channel, mayRead } from '#domain/alerts.ts'
import { METRIC_WORDS } from '#domain/environment.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { webhookProblem } from '../../platform/outgoing/target-check.ts'
import { checkManaged, isOwner, mayManage, maySee } from './channel-access.ts'
import type { ChannelRow } from './channel-target.ts'
import { maskTarget, openTarget, sealStoredTargets, sealTarget } from './channel-target.ts'
import { deliverNotification, webhookSecret } from './deliver-notification.ts'
import { readKeyNames } from './key-names.ts'
import { sees } from './rule-row.ts'
import { mailAddresses } from './send-mail.ts'

const MAX_CHANNELS = 50

/** Webhooks and mail lists: list, change, test, and the log of their deliveries. */
export const channelsModule: Module = async (mount, deps) => {
  const { db } = deps.meta
  await sealStoredTargets(deps.meta, deps.secret)

  mount(alertChannels, async ({ caller }) => {
    const rows = await db
      .selectFrom('alert_channels')
      .selectAll()
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute()
    const visible = rows.filter((row) => maySee(caller, row))
    return { data: await toChannels(deps, caller, visible), mail: deps.config.smtpUrl !== undefined }
  })

  mount(saveAlertChannel, async ({ body, audit, caller }) => {
    const { channel } = body
    if (body.id === undefined) {
      checkTarget(channel)
      audit(`alert channel ${channel.name}`, `${channel.kind} ${maskTarget(channel.kind, channel.target)}`)
      const { count } = await db
        .selectFrom('alert_channels')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (count >= MAX_CHANNELS) throw new ProductError('quota.reached', { detail: String(MAX_CHANNELS) })
      const row = await db
        .insertInto('alert_channels')
        .values({
          id: randomUUID(),
          ...channel,
          target: sealTarget(deps.secret, channel.target),
          turn: 1,
          owner_id: caller.userId,
          created_by: caller.username,
          created_at: deps.now(),
          deleted_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return answer(caller, row, true)
    }
    const found = checkManaged(caller, await findChannel(deps, body.id))
    if (found.kind !== channel.kind) throw new ProductError('input.invalid', { detail: 'kind' })
    const owner = isOwner(caller, found)
    const old = openTarget(deps.secret, found)
    // An administrator sees another user's target masked: sent back unchanged, it stays; a new one makes the channel his own.
    const keepsTarget = !owner && channel.target === maskTarget(found.kind, old)
    const takesOver = !owner && !keepsTarget
    if (body.rotate && keepsTarget) throw new ProductError('permission.missing', { permission: 'alert.edit' })
    if (!keepsTarget) checkTarget(channel)
    const target = keepsTarget ? old : channel.target
    audit(
      `alert channel ${channel.name}`,
      `${channel.kind} ${maskTarget(channel.kind, target)}${takesOver ? `, taken over from ${found.created_by}` : ''}`,
    )
    const newSecret = body.rotate || takesOver
    // What the owner before was notified of is not for the new one.
    if (takesOver)
      await db
        .deleteFrom('alert_deliveries')
        .where('channel_id', '=', found.id)
        .where('notice', 'is not', null)
        .execute()
    const row = await db
      .updateTable('alert_channels')
      .set({
        ...channel,
        target: sealTarget(deps.secret, target),
        ...(newSecret && { turn: sql`turn + 1` }),
        ...(takesOver && { owner_id: caller.userId, created_by: caller.username }),
      })
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return answer(caller, row, newSecret)
  })

  function checkTarget({ kind, target }: Pick<Channel, 'kind' | 'target'>): void {
    const problem =
      kind === 'webhook'
        ? webhookProblem(target, deps.settings().webhook_private)
        : mailAddresses(target)
          ? undefined
          : 'addresses'
    if (problem) throw new ProductError('input.invalid', { detail: `target: ${problem}` })
  }

  async function answer(caller: Caller, row: ChannelRow, withSecret: boolean) {
    const [data] = await toChannels(deps, caller, [row])
    return {
      data: data as Channel,
      secret: withSecret && row.kind === 'webhook' ? webhookSecret(deps.secret, row) : null,
    }
  }

  mount(deleteAlertChannel, async ({ body, audit, caller }) => {
    const found = checkManaged(caller, await findChannel(deps, body.id))
    await db
      .updateTable('alert_channels')
      .set({ deleted_at: deps.now(), enabled: false })
      .where('id', '=', found.id)
      .execute()
    audit(`alert channel ${found.name}`)
    return {}
  })

  mount(testAlertChannel, async ({ body, audit, caller }) => {
    const found = checkManaged(caller, await findChannel(deps, body.id))
    if (!isOwner(caller, found)) throw new ProductError('permission.missing', { permission: 'alert.edit' })
    const started = performance.now()
    const result = await deliverNotification(
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

  mount(redeliverAlert, async ({ body, audit, caller }) => {
    const delivery = await db
      .selectFrom('alert_deliveries')
      .select(['id', 'channel_id'])
      .where('id', '=', body.id)
      .executeTakeFirst()
    const found = checkManaged(caller, delivery && (await findChannel(deps, delivery.channel_id)))
    if (!isOwner(caller, found)) throw new ProductError('permission.missing', { permission: 'alert.edit' })
    audit(`alert channel ${found.name}`, `delivery ${body.id} again`)
    const { numUpdatedRows } = await db
      .updateTable('alert_deliveries')
      .set({ state: 'waiting', attempts: 0, next_at: deps.now(), done_at: null })
      .where('id', '=', body.id)
      .where('state', '!=', 'waiting')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    return {}
  })

  mount(alertDeliveries, async ({ query, caller }) => {
    const found = checkManaged(caller, await findChannel(deps, query.channel))
    const owner = isOwner(caller, found)
    const rows = await db
      .selectFrom('alert_deliveries')
      .leftJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
      .leftJoin('environment_alerts', 'environment_alerts.id', 'alert_deliveries.environment_alert')
      .selectAll('alert_deliveries')
      .select([
        'alerts.rule_name',
        'alerts.apps',
        'alerts.measure',
        'environment_alerts.metric',
        'environment_alerts.node',
      ])
      .where('channel_id', '=', found.id)
      .orderBy('alert_deliveries.created_at', 'desc')
      .limit(query.limit)
      .execute()
    return {
      data: rows
        .filter(({ apps, measure, metric, notice }) => {
          if (notice !== null) return owner
          if (metric !== null) return caller.auth.includes('platform.maintain')
          return sees(caller.scope, apps) && (measure === null || mayRead(caller.auth, measure))
        })
        .map(
          ({
            alert_id,
            environment_alert: environment,
            notice,
            notice_key: _key,
            rule_name,
            answer,
            channel_id: _channel,
            apps: _apps,
            measure: _measure,
            metric,
            node,
            ...row
          }) => ({
            ...row,
            answer: owner ? answer : '',
            alert: alert_id,
            path: notice?.path ?? (environment ? PAGES.environment.path : `${PAGES.alerts.path}?alert=${alert_id}`),
            rule: notice
              ? [notice.title[caller.language], notice.note[caller.language]].filter(Boolean).join(' · ')
              : (rule_name ?? `${METRIC_WORDS[metric ?? 'cpu'][caller.language]} · ${node ?? ''}`),
          }),
        ),
    }
  })
}

function findChannel(deps: ServerDeps, id: string): Promise<ChannelRow | undefined> {
  return deps.meta.db
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

async function toChannels(deps: ServerDeps, caller: Caller, rows: readonly ChannelRow[]): Promise<Channel[]> {
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
  return rows.map((row) => {
    const { id, kind, name, enabled, shared, notices, created_by, created_at } = row
    const newest = last.find(({ channel_id }) => channel_id === id)
    const mine = isOwner(caller, row)
    const target = openTarget(deps.secret, row)
    return {
      id,
      kind,
      name,
      target: mine ? target : maskTarget(kind, target),
      enabled,
      shared,
      notices,
      created_by,
      created_at,
      mine,
      manageable: mayManage(caller, row),
      last: newest ? { at: newest.created_at, state: newest.state, answer: mine ? newest.answer : '' } : null,
    }
  })
}
