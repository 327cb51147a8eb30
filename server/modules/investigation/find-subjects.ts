import { isIP } from 'node:net'
import { ProductError } from '#contracts/errors.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { Subject } from '#domain/trail.ts'
import { keyedHash } from '#realtime/collect/read/keyed-hash.ts'
import type { FoundKey } from '#storage/events/port.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { mayReveal } from '../../query/personal.ts'
import { resolveQuery } from '../../query/resolve-query.ts'

export type FoundSubject = { subject: Subject; first_at: number | null; apps: string[] }

const HEX = /^[0-9a-f]{4,32}$/
/** As lists show a hash: kind, four digits, an ellipsis of any kind, four digits. */
const SHORT = /^(?:[du]_)?([0-9a-f]{4})(?:…|\.{2,3}|··)([0-9a-f]{4})$/

/**
 * What the text may mean: a hash, its beginning or its short form; an address; the id that the app gave a user or device. The last two
 * lead from a person to his data, so they need personal.reveal. Throws permission.missing for an address without it.
 */
export async function findSubjects(deps: ServerDeps, caller: Caller, text: string): Promise<FoundSubject[]> {
  const wanted = text.trim().toLowerCase()
  if (isIP(wanted.replace(/\/\d{1,3}$/, ''))) return findAddress(deps, caller, wanted)
  const short = SHORT.exec(wanted)
  const bare = wanted.replace(/^[du]_/, '')
  const found: FoundKey[] = []
  if (short) found.push(...(await deps.store.findKeys(short[1] as string, short[2] as string, caller.scope)))
  else if (HEX.test(bare)) found.push(...(await startingWith(deps, caller, bare)))
  if (mayReveal(caller)) {
    const hash = keyedHash(deps.secret('telemetry.pepper'), 1)(text.trim())
    for (const one of await startingWith(deps, caller, hash))
      if (!found.some(({ key }) => key === one.key)) found.push(one)
  }
  return found.map(({ kind, key, firstAt, apps }) => ({
    subject: { kind, key },
    first_at: firstAt,
    apps: apps.map(String),
  }))
}

async function startingWith(deps: ServerDeps, caller: Caller, hex: string): Promise<FoundKey[]> {
  const tail = hex.length === 32 ? hex.slice(-8) : ''
  const found = await deps.store.findKeys(hex.slice(0, 8), tail, caller.scope)
  return found.filter(({ key }) => key.startsWith(hex))
}

async function findAddress(deps: ServerDeps, caller: Caller, address: string): Promise<FoundSubject[]> {
  if (!mayReveal(caller))
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['personal.reveal'][caller.language] })
  const filters = [{ field: 'address' as const, op: 'is' as const, values: [address] }]
  const query = resolveQuery(
    { range: '-185d', timeBasis: 'occurred', compare: 'none', filters },
    caller.scope,
    deps.now(),
    deps.settings().zone,
  )
  const answer = await deps.store.answer(query, { kind: 'top', by: 'app', measures: ['events'], limit: 50, and: [] })
  const apps = answer.kind === 'top' ? answer.groups.map(({ key }) => key) : []
  return apps.length > 0 ? [{ subject: { kind: 'address', key: address }, first_at: null, apps }] : []
}
