import type { Kysely } from 'kysely'
import type { Part, Scope } from '#domain/query.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { inScope } from './device-records.ts'

/**
 * A list of devices with a verdict becomes one of these very devices: the event store knows nothing of verdicts. A device counts as judged
 * when it is in any application of the scope.
 */
export async function expandDeviceVerdict(db: Kysely<Database>, scope: Scope, part: Part): Promise<Part> {
  if (part.kind !== 'entities' || part.verdict === undefined) return part
  const { verdict, ...rest } = part
  let found = db.selectFrom('device_verdicts').select('device').distinct().where(inScope(scope, 'application_id'))
  if (verdict !== 'none') found = found.where('verdict', '=', verdict)
  const values = (await found.execute()).map(({ device }) => device)
  return { ...rest, and: [...rest.and, { field: 'device', op: verdict === 'none' ? 'not' : 'is', values }] }
}
