import { createHash } from 'node:crypto'
import {
  POLICY_DEFAULT_ACTION,
  type PolicyDocument,
  type PolicyRule,
  type PolicyVerdict,
  RISK_KEYS,
} from '#contracts/telemetry/policy.ts'
import { actionOfRisk, type PolicyRules, textOfRisk } from '#domain/policy-rules.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'

export type PolicyDeployment = {
  id: string
  policy: string
  version: number
  rules: PolicyRules
  /** Empty: all. */
  appVersions: readonly string[]
  percent: number
  createdAt: number
}
type DatedVerdict = { verdict: PolicyVerdict; at: number }
export type AppPolicies = {
  /** Running ones, newest first: the first match applies. */
  deployments: readonly PolicyDeployment[]
  /** Whether apps enforce the policy; otherwise they only report. */
  protects: boolean
  collectOff: readonly string[]
  /** When protection type or fields last changed. */
  changedAt: number
  verdicts: Map<string, DatedVerdict>
}

/** The same for all devices with this answer, so that its document is written and signed once. */
export type PolicyChoice = { deployment: PolicyDeployment | undefined; verdict: DatedVerdict; app: AppPolicies }

export type PolicyCache = {
  /** The policy for a device with this version of the app. */
  choose(app: number, device: string, appVersion: string): PolicyChoice
  close(): void
}

const REFRESH_MS = 30_000
const NO_VERDICT: DatedVerdict = { verdict: 'none', at: 0 }
const NOTHING: AppPolicies = { deployments: [], protects: false, collectOff: [], changedAt: 0, verdicts: new Map() }

/**
 * Percentile (0 to 100) of a device within an application's roll-out. It is stable: a growing share only adds devices, and the same
 * devices come first in each roll-out.
 */
export function rolloutPercentile(app: number, device: string): number {
  const digest = createHash('sha256').update(`${app}|${device}`).digest()
  return (digest.readUInt32BE(0) / 2 ** 32) * 100
}

export function chooseDeployment(
  deployments: readonly PolicyDeployment[],
  bucket: number,
  appVersion: string,
): PolicyDeployment | undefined {
  return deployments.find(
    (one) => bucket < one.percent && (one.appVersions.length === 0 || one.appVersions.includes(appVersion)),
  )
}

/** The document of a choice. Without protection an app only reports risks; a ban applies in any case. */
export function policyDocument(app: number, { deployment, verdict, app: policies }: PolicyChoice): PolicyDocument {
  const rules: PolicyDocument['rules'] = {}
  for (const risk of RISK_KEYS) {
    const action = deployment ? actionOfRisk(deployment.rules, risk) : POLICY_DEFAULT_ACTION
    const text = deployment && textOfRisk(deployment.rules, risk)
    const rule: PolicyRule = { action: policies.protects || action === 'none' ? action : 'report' }
    rules[risk] = text ? { ...rule, text } : rule
  }
  return {
    app: String(app),
    policy: deployment?.policy ?? '',
    version: deployment?.version ?? 0,
    issued_at: Math.max(deployment?.createdAt ?? 0, policies.changedAt, verdict.at),
    verdict: verdict.verdict,
    rules,
    collect: { off: [...policies.collectOff] },
  }
}

/** All policies in memory, reloaded after a change notification and periodically in case a notification was lost. */
export async function openPolicyCache(meta: MetaStore): Promise<PolicyCache> {
  let byApp = new Map<number, AppPolicies>()

  async function read(): Promise<void> {
    const { db } = meta
    const applications = await db
      .selectFrom('applications as a')
      .leftJoin('application_collection as c', 'c.application_id', 'a.id')
      .select(['a.id', 'a.protect_type', 'a.protect_changed_at', 'c.off', 'c.changed_at'])
      .where('a.deleted_at', 'is', null)
      .execute()
    const rows = await db
      .selectFrom('policy_deployments as d')
      .innerJoin('policy_versions as v', (join) =>
        join.onRef('v.policy_id', '=', 'd.policy_id').onRef('v.version', '=', 'd.version'),
      )
      .selectAll('d')
      .select('v.rules')
      .where('d.state', '=', 'running')
      .orderBy('d.serial', 'desc')
      .execute()
    const verdicts = await db
      .selectFrom('device_verdicts')
      .select(['application_id', 'device', 'verdict', 'at'])
      .execute()
    const next = new Map<number, AppPolicies>()
    for (const one of applications)
      next.set(one.id, {
        deployments: reachable(rows.filter((row) => row.application_id === one.id)),
        protects: one.protect_type === '1',
        collectOff: one.off ?? [],
        changedAt: Math.max(one.protect_changed_at, one.changed_at ?? 0),
        verdicts: new Map(),
      })
    for (const { application_id, device, verdict, at } of verdicts)
      next.get(application_id)?.verdicts.set(device, { verdict, at })
    byApp = next
  }
  const kept = await refreshOnChange(meta, read, {
    changes: ['policies', 'applications', 'verdicts'],
    everyMs: REFRESH_MS,
  })

  return {
    choose(app, device, appVersion) {
      const policies = byApp.get(app) ?? NOTHING
      return {
        deployment: chooseDeployment(policies.deployments, rolloutPercentile(app, device), appVersion),
        verdict: policies.verdicts.get(device) ?? NO_VERDICT,
        app: policies,
      }
    },
    close: kept.close,
  }
}

type Row = {
  id: string
  policy_id: string
  version: number
  rules: PolicyRules
  app_versions: string[]
  percent: number
  created_at: number
}
/** Deployments up to the first that applies to all devices: later ones are never chosen. */
function reachable(rows: readonly Row[]): PolicyDeployment[] {
  const last = rows.findIndex((row) => row.percent >= 100 && row.app_versions.length === 0)
  return (last < 0 ? rows : rows.slice(0, last + 1)).map((row) => ({
    id: row.id,
    policy: row.policy_id,
    version: row.version,
    rules: row.rules,
    appVersions: row.app_versions,
    percent: row.percent,
    createdAt: row.created_at,
  }))
}
