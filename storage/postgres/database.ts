import { Kysely, type Migration, Migrator, PostgresDialect, type PostgresPool, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { up as foundation } from './migrations/0001-foundation.ts'
import { up as exceptions } from './migrations/0002-exceptions.ts'
import { up as devices } from './migrations/0003-devices.ts'
import { up as cases } from './migrations/0004-cases.ts'
import { up as alerts } from './migrations/0005-alerts.ts'
import { up as policies } from './migrations/0006-policies.ts'
import { up as assets } from './migrations/0007-assets.ts'
import { up as detection } from './migrations/0008-detection.ts'
import { up as compliance } from './migrations/0009-compliance.ts'
import { up as ownRules } from './migrations/0011-own-rules.ts'
import { up as vulnerabilities } from './migrations/0012-vulnerabilities.ts'
import { up as phoneRuns } from './migrations/0013-phone-runs.ts'
import { up as rollOutGuard } from './migrations/0014-roll-out-guard.ts'
import { up as privacyPolicies } from './migrations/0015-privacy-policies.ts'
import { up as pageNames } from './migrations/0016-page-names.ts'
import { up as displayTokenExpiry } from './migrations/0017-display-token-expiry.ts'
import { up as alertChannelOwners } from './migrations/0018-alert-channel-owners.ts'
import { up as jobStarts } from './migrations/0019-job-starts.ts'
import { up as users } from './migrations/0030-users.ts'
import { up as uniqueUploads } from './migrations/0031-unique-uploads.ts'
import { up as invitations } from './migrations/0032-invitations.ts'
import { up as customRoles } from './migrations/0033-custom-roles.ts'
import { up as auditChanges } from './migrations/0034-audit-changes.ts'
import { up as logOutputs } from './migrations/0035-log-outputs.ts'
import { up as secondFactor } from './migrations/0036-second-factor.ts'
import { up as encryptedRequests } from './migrations/0037-encrypted-requests.ts'
import { up as externalAccounts } from './migrations/0038-external-accounts.ts'
import { up as oidc } from './migrations/0039-oidc.ts'
import { up as passkeys } from './migrations/0040-passkeys.ts'
import { up as licences } from './migrations/0041-licences.ts'
import { up as environment } from './migrations/0042-environment.ts'
import { up as reportManagement } from './migrations/0044-report-management.ts'
import { up as environmentDeliveries } from './migrations/0045-environment-deliveries.ts'
import { up as maintenance } from './migrations/0046-maintenance.ts'
import { up as notifications } from './migrations/0048-notifications.ts'
import { up as reportDelivery } from './migrations/0050-report-delivery.ts'
import { up as reportSchedules } from './migrations/0051-report-schedules.ts'
import { up as platformFiles } from './migrations/0052-platform-files.ts'
import { up as channelNotices, down as noChannelNotices } from './migrations/0054-channel-notices.ts'
import { up as scriptFiles, down as withoutScriptFiles } from './migrations/0055-script-files.ts'
import { up as communication, down as noCommunication } from './migrations/0056-communication.ts'
import { up as assumedSites, down as noAssumedSites } from './migrations/0058-assumed-sites.ts'
import { up as vulnerabilityUpkeep, down as withoutUpkeep } from './migrations/0059-vulnerability-upkeep.ts'
import { up as monitoring, down as noMonitoring } from './migrations/0061-monitoring.ts'
import { up as signatureFiles, down as withoutSignatureFiles } from './migrations/0063-signature-files.ts'
import { up as reinforcePolicies, down as withoutReinforcePolicies } from './migrations/0064-reinforce-policies.ts'
import { up as serviceRequests, down as withoutServiceRequests } from './migrations/0065-service-requests.ts'
import { up as training, down as withoutTraining } from './migrations/0066-training.ts'
import { up as copiesGone, down as withoutCopiesGone } from './migrations/0067-copies-gone.ts'
import { up as reinforceTasks, down as withoutReinforceTasks } from './migrations/0068-reinforce-tasks.ts'
import { up as reinforceChannels, down as withoutReinforceChannels } from './migrations/0069-reinforce-channels.ts'
import { up as piratedSigners, down as withoutPiratedSigners } from './migrations/0070-pirated-signers.ts'
import { up as takedowns, down as withoutTakedowns } from './migrations/0071-takedowns.ts'
import { up as copyCertificates, down as firstCertificate } from './migrations/0072-copy-certificates.ts'
import { up as ownArticles, down as withoutOwnArticles } from './migrations/0075-own-articles.ts'
import { up as runAlerts, down as withoutRunAlerts } from './migrations/0076-run-alerts.ts'
import { up as judgedRuns, down as withoutJudgedRuns } from './migrations/0077-judged-runs.ts'
import { up as reinforceKinds, down as withoutReinforceKinds } from './migrations/0078-reinforce-kinds.ts'
import { up as reinforceBundles, down as withoutReinforceBundles } from './migrations/0079-reinforce-bundles.ts'
import type { Database } from './schema.ts'

// int8 as number: times in milliseconds and row counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** In the order in which they run. A name is stored in the database that ran it: it never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': { up: foundation },
  '0002-exceptions': { up: exceptions },
  '0003-devices': { up: devices },
  '0004-cases': { up: cases },
  '0005-alerts': { up: alerts },
  '0006-policies': { up: policies },
  '0007-assets': { up: assets },
  '0008-detection': { up: detection },
  '0009-compliance': { up: compliance },
  '0011-own-rules': { up: ownRules },
  '0012-vulnerabilities': { up: vulnerabilities },
  '0013-phone-runs': { up: phoneRuns },
  '0014-roll-out-guard': { up: rollOutGuard },
  '0015-privacy-policies': { up: privacyPolicies },
  '0016-page-names': { up: pageNames },
  '0017-display-token-expiry': { up: displayTokenExpiry },
  '0018-alert-channel-owners': { up: alertChannelOwners },
  '0019-job-starts': { up: jobStarts },
  '0030-users': { up: users },
  '0031-unique-uploads': { up: uniqueUploads },
  '0032-invitations': { up: invitations },
  '0033-custom-roles': { up: customRoles },
  '0034-audit-changes': { up: auditChanges },
  '0035-log-outputs': { up: logOutputs },
  '0036-second-factor': { up: secondFactor },
  '0037-encrypted-requests': { up: encryptedRequests },
  '0038-external-accounts': { up: externalAccounts },
  '0039-oidc': { up: oidc },
  '0040-passkeys': { up: passkeys },
  '0041-licences': { up: licences },
  '0042-environment': { up: environment },
  '0044-report-management': { up: reportManagement },
  '0045-environment-deliveries': { up: environmentDeliveries },
  '0046-maintenance': { up: maintenance },
  '0048-notifications': { up: notifications },
  '0050-report-delivery': { up: reportDelivery },
  '0051-report-schedules': { up: reportSchedules },
  '0052-platform-files': { up: platformFiles },
  '0054-channel-notices': { up: channelNotices, down: noChannelNotices },
  '0055-script-files': { up: scriptFiles, down: withoutScriptFiles },
  '0056-communication': { up: communication, down: noCommunication },
  '0058-assumed-sites': { up: assumedSites, down: noAssumedSites },
  '0059-vulnerability-upkeep': { up: vulnerabilityUpkeep, down: withoutUpkeep },
  '0061-monitoring': { up: monitoring, down: noMonitoring },
  '0063-signature-files': { up: signatureFiles, down: withoutSignatureFiles },
  '0064-reinforce-policies': { up: reinforcePolicies, down: withoutReinforcePolicies },
  '0065-service-requests': { up: serviceRequests, down: withoutServiceRequests },
  '0066-training': { up: training, down: withoutTraining },
  '0067-copies-gone': { up: copiesGone, down: withoutCopiesGone },
  '0068-reinforce-tasks': { up: reinforceTasks, down: withoutReinforceTasks },
  '0069-reinforce-channels': { up: reinforceChannels, down: withoutReinforceChannels },
  '0070-pirated-signers': { up: piratedSigners, down: withoutPiratedSigners },
  '0071-takedowns': { up: takedowns, down: withoutTakedowns },
  '0072-copy-certificates': { up: copyCertificates, down: firstCertificate },
  '0075-own-articles': { up: ownArticles, down: withoutOwnArticles },
  '0076-run-alerts': { up: runAlerts, down: withoutRunAlerts },
  '0077-judged-runs': { up: judgedRuns, down: withoutJudgedRuns },
  '0078-reinforce-kinds': { up: reinforceKinds, down: withoutReinforceKinds },
  '0079-reinforce-bundles': { up: reinforceBundles, down: withoutReinforceBundles },
}

/** How to reach PostgreSQL: the bundled one's socket, or DATABASE_URL. */
export type DatabaseAddress = pg.ClientConfig

export type MetaStore = { db: Kysely<Database>; listen: Listen; notify: Notify; close(): Promise<void> }
/**
 * Calls back with each payload of the channel; answers the unsubscribe function. Reconnects by itself; notifications sent meanwhile are lost, so
 * `onBack` is called then, to read again.
 */
export type Listen = (
  channel: string,
  onPayload: (payload: unknown) => void,
  onBack?: () => void,
) => Promise<() => void>
export type Notify = (channel: string, payload: unknown) => Promise<void>

/** The longest statement, in ms, of processes that answer requests: below the patience of people and of the public port. */
export const REQUEST_STATEMENT_MS = 15_000
/** How much later than PostgreSQL this side gives up: it answers where PostgreSQL itself no longer does. */
const NO_ANSWER_MS = 2000
/** Where statements have no limit, so long is waited for a connection: that none becomes free is a failure with a log line, not a standstill. */
const CONNECTION_MS = 60_000
/** A transaction that runs no statement for this long holds locks for nothing. */
const IDLE_TRANSACTION_MS = 60_000

export type DatabaseOptions = {
  /** Brings the tables up to date first (one process does it at a time: the migrator locks). No limit applies to that. */
  migrate: boolean
  connections?: number
  /** Longest statement, and somewhat more for a connection to become free, in ms. Absent for jobs and maintenance: no limit. */
  statementMs?: number
  /** How long a connection may take to become free, where `statementMs` is absent. */
  connectionMs?: number
}

/**
 * Opens the metadata store. A statement beyond `statementMs` rejects with SQLSTATE 57014, or with the driver's 'Query read timeout' where
 * PostgreSQL does not answer at all (isStatementTimeout knows both); its connection is usable afterwards, or is closed.
 */
export async function openDatabase(address: DatabaseAddress, options: DatabaseOptions): Promise<MetaStore> {
  if (options.migrate) await migrate(address)
  const { statementMs, connectionMs = CONNECTION_MS } = options
  const pool = new pg.Pool({
    ...address,
    max: options.connections ?? 8,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionMs,
    ...(statementMs !== undefined && {
      statement_timeout: statementMs,
      query_timeout: statementMs + NO_ANSWER_MS,
      connectionTimeoutMillis: statementMs + NO_ANSWER_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    }),
  })
  pool.on('error', () => {}) // an idle client lost its server; the next query reconnects
  // So did one in use: its statement rejects, and without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: closingBroken(pool) }) })
  const listener = makeListener(address)
  return {
    db,
    listen: listener.listen,
    notify: async (channel, payload) => {
      await pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(payload)])
    },
    async close() {
      await listener.close()
      await db.destroy()
    },
  }
}

async function migrate(address: DatabaseAddress): Promise<void> {
  const pool = new pg.Pool({ ...address, max: 1 })
  pool.on('error', () => {}) // the server ended while the pool closed: what the migration needed was answered before
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

/**
 * The pool for Kysely, which returns every connection as a sound one. Behind a statement that got no answer all later ones of the
 * connection would wait, and one that PostgreSQL ends is closed a moment after it says so: both are refused here and not used again.
 */
function closingBroken(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      let broken: Error | undefined
      return {
        async query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
          if (broken) throw broken
          try {
            return (await client.query(text, [...values])) as unknown as PostgresQueryResult<R>
          } catch (error) {
            if (isConnectionBroken(error)) broken = error as Error
            throw error
          }
        },
        release: () => client.release(broken),
      }
    },
    end: () => pool.end(),
  } as PostgresPool
}

function isConnectionBroken(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message?: string }
  return message === 'Query read timeout' || /^57P0[123]$/.test(code)
}

/** One connection for LISTEN, opened with the first channel, kept for the process's life. */
function makeListener(address: DatabaseAddress) {
  const handlers = new Map<string, Set<(payload: unknown) => void>>()
  const onBacks = new Set<() => void>()
  let wasOpen = false
  let client: pg.Client | undefined
  let closed = false

  async function open(): Promise<void> {
    const next = new pg.Client(address)
    next.on('notification', ({ channel, payload }) => {
      const value: unknown = payload ? JSON.parse(payload) : undefined
      for (const handler of handlers.get(channel) ?? []) handler(value)
    })
    next.on('error', () => {}) // 'end' follows
    next.on('end', () => {
      if (client === next) client = undefined
      if (!closed) again()
    })
    await next.connect()
    for (const channel of handlers.keys()) await next.query(`listen ${next.escapeIdentifier(channel)}`)
    client = next
    if (wasOpen) for (const onBack of onBacks) onBack()
    wasOpen = true
  }

  /** The server went away: connect until it is back. */
  function again(): void {
    setTimeout(() => void inTurn(async () => {}).catch(again), 500).unref()
  }

  /** One command at a time on the one connection, which is opened first where it is missing. */
  let turn: Promise<void> = Promise.resolve()
  function inTurn(command: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const work = turn.then(async () => {
      if (closed) return
      if (!client) await open()
      await command(client as pg.Client)
    })
    turn = work.catch(() => {}) // the caller sees the error
    return work
  }

  return {
    listen: (async (channel, onPayload, onBack) => {
      const set = handlers.get(channel) ?? new Set()
      handlers.set(channel, set)
      set.add(onPayload)
      if (onBack) onBacks.add(onBack)
      await inTurn((client) => client.query(`listen ${client.escapeIdentifier(channel)}`))
      return () => {
        set.delete(onPayload)
        if (onBack) onBacks.delete(onBack)
      }
    }) satisfies Listen,
    async close() {
      closed = true
      await client?.end().catch(() => {}) // it lost its server
    },
  }
}
