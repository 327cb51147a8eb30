import { ProductError } from '#contracts/errors.ts'
import {
  type DeviceBuild,
  type DeviceFacts,
  type DeviceScore,
  deviceProfile,
  deviceSessions,
  revealAddresses,
  scoreRules,
  suspiciousDevices,
} from '#contracts/http/devices.ts'
import { CONTRADICTION_KINDS, contradictionsOf, type KnownBuilds } from '#domain/baseline.ts'
import { SCORE_RULES, SCORE_VERSION, SCORE_WINDOW_DAYS, scoreOf } from '#domain/device-score.ts'
import type { Filter, Query, Scope } from '#domain/query.ts'
import { truncateAddress } from '#domain/truncate-address.ts'
import type { DeviceProfile, RuleHit } from '#storage/events/device-port.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import type { Module } from '../../http/module.ts'
import { refuseAddress } from '../../query/personal.ts'
import { agreeOnNow, resolveQuery } from '../../query/resolve-query.ts'
import { knownBuilds } from '../baselines/baseline-rows.ts'
import { copiesSignedBy } from '../monitoring/pirated-certificates.ts'
import { currentDeviceVerdicts, deviceVerdictHistory, enrolmentsOf } from './device-records.ts'

const DAY_MS = 86_400_000

/** Devices: score, profile, sessions, whole addresses. Everything is worked out from stored events when it is asked. */
export const devicesModule: Module = (mount, deps) => {
  const { meta } = deps
  const zone = () => deps.settings().zone
  const limit = () => deps.settings().suspicious_from
  const window = (now: number) => ({ from: now - SCORE_WINDOW_DAYS * DAY_MS, to: now + 1 })
  const queryOf = (query: Query, device: string, scope: Scope, now: number): StoreQuery => {
    const own: Filter = { field: 'device', op: 'is', values: [device] }
    const filters = [...query.filters.filter(({ field }) => field !== 'device'), own]
    return resolveQuery({ ...query, filters, compare: 'none' }, scope, now, zone())
  }

  mount(scoreRules, () => ({
    data: [...SCORE_RULES],
    version: SCORE_VERSION,
    window_days: SCORE_WINDOW_DAYS,
    limit: limit(),
  }))

  mount(suspiciousDevices, async ({ body, caller }) => {
    refuseAddress(caller, body.filters)
    const now = agreeOnNow(body.now, deps.now())
    const known = await knownBuilds(meta.db, caller.scope)
    const ask = { span: window(now), scope: caller.scope, filters: body.filters, zone: zone(), ...known }
    const page = { from: body.from ?? limit(), limit: body.limit, offset: body.offset }
    const { rows, total } = await deps.store.scores(ask, page)
    const verdicts = await currentDeviceVerdicts(
      meta.db,
      caller.scope,
      rows.map(({ device }) => device),
    )
    const data = rows.map(({ device, score, lastAt, hits }) => ({
      device,
      score,
      last_at: lastAt,
      reasons: hits.map(toReason),
      verdicts: verdicts.filter((one) => one.device === device).map(({ appid, verdict }) => ({ appid, verdict })),
    }))
    return { data, total, limit: limit(), now, window: window(now) }
  })

  mount(deviceProfile, async ({ body, caller }) => {
    refuseAddress(caller, body.query.filters)
    const { device } = body
    const now = agreeOnNow(body.now, deps.now())
    const query = queryOf(body.query, device, caller.scope, now)
    const known = await knownBuilds(meta.db, caller.scope)
    const scored = { span: window(now), scope: caller.scope, filters: [], zone: zone(), ...known }
    const [profile, hits, history, verdicts, enrolments] = await Promise.all([
      deps.store.profile(query),
      deps.store.hits(scored, device),
      deviceVerdictHistory(meta.db, caller.scope, device),
      currentDeviceVerdicts(meta.db, caller.scope, [device]),
      enrolmentsOf(meta.db, caller.scope, device),
    ])
    const score: DeviceScore = {
      score: scoreOf(Object.fromEntries(hits.map((hit) => [hit.rule, hit.count]))),
      limit: limit(),
      ...window(now),
      reasons: hits.map(toReason),
    }
    const facts = profile ? toFacts(profile, known) : null
    const signers = facts?.builds.flatMap((build) => build.signers) ?? []
    const pirated = caller.auth.includes('monitor.view') ? await copiesSignedBy(meta.db, caller.scope, signers) : []
    const current = verdicts.map(({ device: _device, ...entry }) => entry)
    return { now, span: query.span, facts, score, verdicts: current, history, enrolments, pirated }
  })

  mount(deviceSessions, async ({ body, caller }) => {
    refuseAddress(caller, body.query.filters)
    const query = queryOf(body.query, body.device, caller.scope, agreeOnNow(body.now, deps.now()))
    const { rows, total } = await deps.store.sessions(query, body)
    return { data: rows.map(({ app, ...row }) => ({ appid: app, ...row })), total }
  })

  mount(revealAddresses, async ({ body, caller, audit }) => {
    audit(`device ${body.device}`, 'addresses')
    const query = queryOf(body.query, body.device, caller.scope, agreeOnNow(body.now, deps.now()))
    const profile = await deps.store.profile(query)
    if (!profile) throw new ProductError('data.missing')
    const data = profile.addresses.map(({ address, ...seen }) => ({ address, ...seenOf(seen) }))
    return { data, total: profile.counts.addresses }
  })
}

function toReason({ rule, count, points, lastAt }: RuleHit) {
  return { rule, count, points, last_at: lastAt }
}

type Seen = { events: number; attacks: number; firstAt: number; lastAt: number }
function seenOf({ events, attacks, firstAt, lastAt }: Seen) {
  return { events, attacks, first_at: firstAt, last_at: lastAt }
}

function toFacts(profile: DeviceProfile, known: KnownBuilds): DeviceFacts {
  const { firstAt, lastAt, apps, builds, users, places, addresses, systems, ...rest } = profile
  return {
    ...rest,
    first_at: firstAt,
    last_at: lastAt,
    apps: apps.map((one) => ({ ...seenOf(one), appid: one.app, version: one.version })),
    builds: builds.map((one) => toBuild(one, known)),
    users: users.map((one) => ({ ...seenOf(one), user: one.user, devices: one.devices })),
    places: places.map((one) => ({
      ...seenOf(one),
      country: one.country,
      province: one.province,
      city: one.city,
      lon: one.lon,
      lat: one.lat,
    })),
    addresses: byNetwork(addresses),
    systems: systems.map((one) => ({ ...seenOf(one), model: one.model, os: one.os, sdk: one.sdk })),
  }
}

/** A build may have reported several values over time: each of them is compared with the baseline. */
function toBuild(build: DeviceProfile['builds'][number], known: KnownBuilds): DeviceBuild {
  const { app, version, channel, packages, signers, hashes } = build
  const baseline = known.baselines.find((one) => String(one.app) === app && one.version === version)
  const tables = hashes.map((lines) => Object.fromEntries(lines.split('\n').map((line) => line.split('=', 2))))
  const reported = [
    ...packages.map((packageName) => ({ packageName, signer: '', channel: '', hashes: {} })),
    ...signers.map((signer) => ({ packageName: '', signer, channel: '', hashes: {} })),
    ...tables.map((table) => ({ packageName: '', signer: '', channel: '', hashes: table })),
    { packageName: '', signer: '', channel, hashes: {} },
  ]
  const pirated = known.pirated.find((one) => String(one.app) === app)?.certificates
  const found = new Set(reported.flatMap((one) => contradictionsOf(one, baseline ?? null, pirated)))
  const lines = [...new Set(hashes.flatMap((one) => one.split('\n')))].sort()
  return {
    ...seenOf(build),
    appid: app,
    version,
    channel,
    packages,
    signers,
    hashes: lines,
    contradictions: baseline || found.size > 0 ? CONTRADICTION_KINDS.filter((kind) => found.has(kind)) : null,
  }
}

/** Addresses folded to their networks. */
function byNetwork(addresses: DeviceProfile['addresses']): DeviceFacts['addresses'] {
  const networks = new Map<string, DeviceFacts['addresses'][number]>()
  for (const one of addresses) {
    const network = truncateAddress(one.address)
    const known = networks.get(network)
    const seen = seenOf(one)
    networks.set(network, {
      network,
      events: seen.events + (known?.events ?? 0),
      attacks: seen.attacks + (known?.attacks ?? 0),
      first_at: Math.min(seen.first_at, known?.first_at ?? seen.first_at),
      last_at: Math.max(seen.last_at, known?.last_at ?? seen.last_at),
    })
  }
  return [...networks.values()].sort((a, b) => b.last_at - a.last_at)
}
