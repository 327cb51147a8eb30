import { randomUUID } from 'node:crypto'
import { createApplication } from '#contracts/http/applications.ts'
import { deviceProfile } from '#contracts/http/devices.ts'
import { exportEvents } from '#contracts/http/exports.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { downloadJob, jobs } from '#contracts/http/jobs.ts'
import { statistics } from '#contracts/http/statistics.ts'
import { COLLECT_EVENTS_PATH, type WireEvent } from '#contracts/telemetry/wire.ts'
import type { AnswerOf, PartInput, TimeBasis } from '#domain/query.ts'
import type { Api } from '../support/api.ts'
import { waitFor } from '../support/running-server.ts'
import { watchWall } from './wall-watch.ts'

const EVENTS = 10_000
const VERSIONS = 50
const DEVICES = 100
const BATCH = 1000
const BASES: readonly TimeBasis[] = ['received', 'occurred']
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * 10,000 acknowledged events of an application of their own, before the first fault: after each one every view that counts events must still
 * show exactly these. Event n has version n % 50 and device n % 100, and every fourth one is an attack.
 */
export async function knownEvents({ url, token, api }: { url: string; token: string; api: Api }) {
  const { object_list } = await api(createApplication, { body: { name: 'known', mimetype_list: [1] } })
  const appid = object_list[0]?.id as string
  const { key } = await api(createIngestKey, { body: { appid, kind: 'server', name: 'known', scopes: ['events'] } })
  const ids = Array.from({ length: EVENTS }, () => randomUUID() as string)
  const events = ids.map(
    (event_id, n): WireEvent => ({
      event_id,
      type: n % 4 === 0 ? 'risk' : 'start',
      ...(n % 4 === 0 && { risk_type: 'hook' as const, action: 'block' as const }),
      device_id: `known-${n % DEVICES}`,
      user_id: `known-${n % DEVICES}`,
      app_version: `7.0.${n % VERSIONS}`,
      place: { country: 'CN', province: '440000', city: '440300' },
    }),
  )
  for (let from = 0; from < EVENTS; from += BATCH) {
    const body = JSON.stringify(events.slice(from, from + BATCH))
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const isTaken = async () =>
      (await fetch(url + COLLECT_EVENTS_PATH, { method: 'POST', headers, body })).status === 202
    await waitFor(isTaken, 10_000, 'the known events to be taken')
  }
  const filter = [{ field: 'app' as const, op: 'is' as const, values: [appid] }]
  const ask = (parts: Record<string, PartInput>, timeBasis: TimeBasis, range = '-24h') =>
    api(statistics, { body: { query: { range, timeBasis, filters: filter }, parts } })
  const wall = watchWall(url, api, filter)
  let rounds = 0

  /** What the views show of the events, by name; by time of arrival and of occurrence in turn, one in each round. */
  async function shown(): Promise<Record<string, unknown>> {
    const version = rounds % VERSIONS
    const found: Record<string, unknown> = {}
    const basis = BASES[rounds % 2] as TimeBasis
    const { parts } = await ask(
      {
        total: { kind: 'total', measures: ['events', 'attacks', 'devices', 'users'] },
        series: { kind: 'series', measures: ['events'] },
        top: { kind: 'top', by: 'version', measures: ['events'], limit: VERSIONS },
        heat: { kind: 'heat', measures: ['events'] },
        devices: { kind: 'entities', entity: 'device', limit: 200 },
        users: { kind: 'entities', entity: 'user', limit: 200 },
        periods: { kind: 'periods', limit: 200 },
        list: { kind: 'rows', limit: 200, and: [{ field: 'version', op: 'is', values: [`7.0.${version}`] }] },
      },
      basis,
    )
    const sum = (rows: { events?: number | undefined }[]) => rows.reduce((all, { events = 0 }) => all + events, 0)
    const { rows: list } = parts['list'] as AnswerOf<'rows'>
    const { groups } = parts['top'] as AnswerOf<'top'>
    found['total'] = (parts['total'] as AnswerOf<'total'>).row
    found['series'] = sum((parts['series'] as AnswerOf<'series'>).points.map(({ row }) => row))
    found['heat map'] = sum((parts['heat'] as AnswerOf<'heat'>).cells.map(({ row }) => row))
    found['top list'] = [...new Set(groups.map(({ row }) => row.events))].concat(groups.length)
    for (const name of ['devices', 'users'] as const) {
      const { rows, total } = parts[name] as AnswerOf<'entities'>
      found[`list of ${name}`] = [total, sum(rows)]
    }
    found['periods'] = sum((parts['periods'] as AnswerOf<'periods'>).rows)
    found['event list'] = isSame(
      list.map(({ id }) => id),
      idsOf(version),
    )
    const query = { range: '-24h', timeBasis: basis, filters: filter }
    const { facts } = await api(deviceProfile, { body: { device: list[0]?.device ?? '', query } })
    found['card of a device'] = facts?.events
    found['export'] = await exported()
    const { parts: more } = await ask({ today: { kind: 'total', measures: ['attacks'] } }, 'received', 'today')
    const today = (more['today'] as AnswerOf<'total'>).row.attacks ?? 0
    await waitFor(() => wall.attacksToday() === today, 5000, 'the wall').catch(() => {})
    found['wall'] = wall.attacksToday() === today || `${wall.attacksToday()} of ${today}`
    return found
  }

  const idsOf = (version: number) => ids.filter((_, n) => n % VERSIONS === version)

  async function exported(): Promise<boolean> {
    const query = { range: '-24h', timeBasis: 'received' as const, filters: filter }
    const { job } = await api(exportEvents, { body: { query, part: { kind: 'rows' }, format: 'csv', title: 'known' } })
    const isDone = async () => {
      const state = (await api(jobs)).data.find(({ id }) => id === job.id)?.state
      // A fault that has just ended may still reach the process that writes the file: asked for again.
      if (state === 'failed' || state === 'stopped') throw new Error('the export failed')
      return state === 'done'
    }
    await waitFor(isDone, 70_000, 'the export') // a job whose announcement was lost starts within a minute
    const answer = await fetch(`${url}${downloadJob.path}?id=${job.id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const known = new Set(ids)
    return isSame((await answer.text()).match(UUID)?.filter((id) => known.has(id)) ?? [], ids)
  }

  const expected: Record<string, unknown> = {
    total: { events: EVENTS, attacks: EVENTS / 4, devices: DEVICES, users: DEVICES },
    series: EVENTS,
    'heat map': EVENTS,
    'top list': [EVENTS / VERSIONS, VERSIONS],
    'list of devices': [DEVICES, EVENTS],
    'list of users': [DEVICES, EVENTS],
    periods: EVENTS,
    'event list': true,
    'card of a device': EVENTS / DEVICES,
    export: true,
    wall: true,
  }

  /** The views that show anything else than the known events, with what they show. */
  async function differing(): Promise<string[]> {
    rounds++
    let found: Record<string, unknown> | undefined
    // A store that was killed first reads back what it had not checkpointed.
    for (const end = Date.now() + 20_000; !found; )
      try {
        found = await shown()
      } catch (error) {
        if (Date.now() > end) throw error
        await new Promise((wake) => setTimeout(wake, 200))
      }
    const views = found
    return Object.keys(expected)
      .filter((view) => JSON.stringify(views[view]) !== JSON.stringify(expected[view]))
      .map((view) => `${view} by time ${BASES[rounds % 2]}: ${JSON.stringify(views[view])}`)
  }

  const areStored = async () => {
    const { parts } = await ask({ all: { kind: 'total', measures: ['events'] } }, 'received')
    return (parts['all'] as AnswerOf<'total'>).row.events === EVENTS
  }
  await waitFor(areStored, 20_000, 'the known events to be stored')
  return { ids, attacks: EVENTS / 4, views: Object.keys(expected).length, differing, close: wall.close }
}

/** The same ids, each once. */
function isSame(found: readonly string[], wanted: readonly string[]): boolean {
  return found.length === wanted.length && new Set([...found, ...wanted]).size === wanted.length
}
