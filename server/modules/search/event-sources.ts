import type { SearchHit } from '#contracts/http/search.ts'
import { EVENT_TYPES, LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import { type FoundSubject, findSubjects } from '../investigation/find-subjects.ts'
import { type Ask, fact, hit, joined, plain, type SearchSource } from './search-source.ts'

/** What the event store finds, by ids alone: its dictionary of devices and users and the hashes of event ids; never its rows. */

/** One look-up serves both kinds of one search. */
const lookUps = new WeakMap<Ask, Promise<FoundSubject[]>>()
function subjectsOf(ask: Ask): Promise<FoundSubject[]> {
  const known = lookUps.get(ask)
  if (known) return known
  // An address is no key of the dictionary: to find it all rows are read, which the attack trace does when it is asked to.
  const found = /^[\d.]*[.:][\da-f.:/]*$/i.test(ask.text)
    ? Promise.resolve([])
    : findSubjects(ask.deps, ask.caller, ask.text)
  lookUps.set(ask, found)
  return found
}

function keySource(kind: 'device' | 'user'): SearchSource {
  const letter = kind === 'device' ? 'd' : 'u'
  const words = kind === 'device' ? { zh: '设备', en: 'Device' } : { zh: '应用用户', en: 'App user' }
  return {
    kind,
    async find(ask) {
      const found = (await subjectsOf(ask)).filter(({ subject }) => subject.kind === kind).slice(0, ask.limit)
      const names = await applicationNames(
        ask,
        found.flatMap(({ apps }) => apps.map(Number)),
      )
      return found.map(({ subject: { key }, apps, first_at }) => {
        const named = joined(...apps.map((app) => names.get(Number(app)) ?? `#${app}`))
        return hit({
          kind,
          id: key,
          title: plain(`${letter}_${key.slice(0, 4)}…${key.slice(-4)}`),
          note: joined(words, named),
          apps,
          to:
            kind === 'device'
              ? `/statistics/user_check/${key}/?apps=all`
              : `/mssa/attack_spoor?subject=user:${key}&apps=all`,
          exact: ask.text.toLowerCase().replace(/^[du]_/, '') === key,
          at: first_at,
          facts: [fact('application', named)],
        })
      })
    },
  }
}

async function applicationNames({ deps }: Ask, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await deps.meta.db
    .selectFrom('applications')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const eventSource: SearchSource = {
  kind: 'event',
  async find(ask) {
    const rows = await ask.deps.store.findEvents(ask.text.toLowerCase(), ask.caller.scope)
    const names = await applicationNames(
      ask,
      rows.map(({ app }) => Number(app)),
    )
    return rows.slice(0, ask.limit).map((row): SearchHit => {
      const risk = RISK_TYPES[row.risk as keyof typeof RISK_TYPES]
      const type = EVENT_TYPES[row.type as keyof typeof EVENT_TYPES]
      const application = names.get(Number(row.app)) ?? `#${row.app}`
      const device = `d_${row.device.slice(0, 4)}…${row.device.slice(-4)}`
      return hit({
        kind: 'event',
        id: row.id,
        title: risk ?? type ?? plain(row.type),
        note: joined(application, device, row.model),
        level: row.level,
        apps: [row.app],
        to: `/statistics/user_check/${row.device}/?apps=all&event=${row.app}:${row.id}`,
        exact: true,
        at: row.occurredAt,
        facts: [
          fact('application', application),
          fact('device', device),
          fact('version', row.version),
          fact('level', LEVELS[row.level as keyof typeof LEVELS] ?? ''),
        ],
      })
    })
  },
}

export const EVENT_SOURCES: readonly SearchSource[] = [keySource('device'), keySource('user'), eventSource]
