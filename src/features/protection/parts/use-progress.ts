import { useSearchParams } from 'react-router-dom'
import { ingestKeys } from '#contracts/http/ingest.ts'
import { policyList } from '#contracts/http/policies.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { EventRow } from '#domain/query.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useMay } from '#src/shared/session/session-store.ts'

export const STEPS = ['app', 'keys', 'sdk', 'rules', 'check'] as const
export type StepName = (typeof STEPS)[number]
export const SDK_CHOICES = ['android', 'web', 'server', 'shell'] as const
export type SdkChoice = (typeof SDK_CHOICES)[number]

export type Progress = {
  done: Record<StepName, boolean>
  sdk: SdkChoice | undefined
  /** Newest event of the application, undefined while none came. */
  newest: EventRow | undefined
  events: number
  mayRead: boolean
  /** A key was used, so something did try to report. */
  keyUsed: boolean
}

const LOOK_MS = 2000

/** How far an application has come, from keys, policies and events alone: nothing is ticked off by hand but the choice of the SDK. */
export function useProgress(appid: string | undefined): Progress {
  const [params] = useSearchParams()
  const asked = params.get('sdk') as SdkChoice | null
  const mayKeys = useMay('ingest.keys')
  const mayRead = useMay('events.read')
  const [mayEdit, mayDeploy] = [useMay('policy.edit'), useMay('policy.deploy')]
  const id = appid ?? ''
  const keys = useEndpoint(
    ingestKeys,
    { query: { appid: id } },
    { enabled: appid !== undefined && mayKeys, refetchInterval: 5 * LOOK_MS },
  )
  const policies = useEndpoint(
    policyList,
    { query: { appid: id } },
    { enabled: appid !== undefined && (mayEdit || mayDeploy) },
  )
  const answer = useEndpoint(
    statistics,
    {
      body: {
        query: { range: '-30d', timeBasis: 'received', filters: [{ field: 'app', op: 'is', values: [id] }] },
        parts: { newest: { kind: 'rows', limit: 1 }, total: { kind: 'total', measures: ['events'] } },
      },
    },
    { enabled: appid !== undefined && mayRead, refetchInterval: LOOK_MS },
  )
  const rows = answer.data?.parts['newest']
  const total = answer.data?.parts['total']
  const newest = rows?.kind === 'rows' ? rows.rows[0] : undefined
  const valid = (keys.data?.data ?? []).filter((one) => one.revoked_at === null)
  const sdk = asked && SDK_CHOICES.includes(asked) ? asked : undefined
  return {
    done: {
      app: appid !== undefined,
      keys: valid.length > 0 || newest !== undefined,
      // An event that a test or a server posted says nothing about an SDK.
      sdk: sdk !== undefined || (newest !== undefined && newest.sdk !== ''),
      rules: (policies.data?.data ?? []).some((one) => one.live.some((deployment) => deployment.state === 'running')),
      check: newest !== undefined,
    },
    sdk,
    newest,
    events: total?.kind === 'total' ? (total.row.events ?? 0) : 0,
    mayRead,
    keyUsed: valid.some((one) => one.last_used_at !== null),
  }
}
