import { ProductError } from '#contracts/errors.ts'
import {
  deleteVulnerability,
  importVulnerabilities,
  MOST_IMPORTED,
  VULNERABILITY_LEVELS,
  type VulnerabilityLevel,
  type VulnerabilityLine,
  vulnerabilities,
  vulnerability,
} from '#contracts/http/vulnerabilities.ts'
import { isProblem, readNvdEntry } from '#engines/vulnlib/read-nvd.ts'
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { CATALOGUE, itemName } from '../detection/catalogue.ts'
import { tasksOf } from '../detection/task-rows.ts'
import { BUILT_IN, LIBRARY_VERSION, TYPES, typeName } from './built-in.ts'

type Entry = Vulnerability & { imported: boolean }
const RANK = Object.keys(VULNERABILITY_LEVELS) as VulnerabilityLevel[]
const FOUND = 100

/** The vulnerability library: search, one entry with what it has to do with the caller's applications, import, deletion. */
export const vulnerabilitiesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(vulnerabilities, async ({ query }) => {
    const all = await allEntries(deps)
    const words = query.search.toLowerCase().split(/\s+/).filter(Boolean)
    const part = query.number.toUpperCase()
    const others = all.filter(
      (one) =>
        one.number.toUpperCase().includes(part) &&
        (query.type === '' || one.type === query.type) &&
        (query.platform === '' || one.platform === query.platform) &&
        (query.exploited === '' || one.knownExploited) &&
        holds(one, words),
    )
    const levels = { super: 0, high: 0, middle: 0, low: 0 }
    for (const { level } of others) levels[level]++
    const found = query.level === '' ? others : others.filter(({ level }) => level === query.level)
    const sign = query.order === 'asc' ? 1 : -1
    const key = KEYS[query.sort]
    const sorted = found.toSorted((a, b) => {
      const [left, right] = [key(a), key(b)]
      if (left === right) return a.number < b.number ? -1 : 1
      return (left < right ? -1 : 1) * sign
    })
    return {
      data: sorted.slice(query.offset, query.offset + query.limit).map(lineOf),
      total: found.length,
      levels,
      types: Object.entries(TYPES).map(([id, name]) => ({ id, name })),
      platforms: [...new Set(all.map(({ platform }) => platform))].sort(),
      version: LIBRARY_VERSION,
    }
  })

  mount(vulnerability, async ({ query, caller }) => {
    const one = (await allEntries(deps)).find(({ number }) => number === query.number)
    if (!one) throw new ProductError('data.missing')
    const items = CATALOGUE.items.filter(({ references }) => (references.cve as readonly string[]).includes(one.number))
    const mayView = caller.auth.includes('detect.view')
    return {
      data: {
        ...lineOf(one),
        level_basis: one.levelBasis,
        introduction: one.introduction,
        affected: { zh: one.affected, en: one.affectedEn ?? one.affected },
        advice: one.advice,
        fixed_in: { zh: one.fixedIn, en: one.fixedInEn ?? one.fixedIn },
        references: [...one.references],
        confirmed_by: [...one.confirmedBy],
        type_name: typeName(one.type),
      },
      items: items.map(({ id }) => ({ id, name: itemName(id) })),
      found:
        mayView && items.length > 0
          ? await tasksOf(deps.meta, caller)
              .innerJoin('detection_failures', 'detection_failures.task_id', 'task.id')
              .where(
                'detection_failures.item',
                'in',
                items.map(({ id }) => id),
              )
              .where('detection_failures.muted', '=', false)
              .select(['task.id as task', 'task.name', 'task.version', 'detection_failures.item', 'task.ended_at'])
              .orderBy('task.ended_at', 'desc')
              .limit(FOUND)
              .execute()
          : [],
    }
  })

  mount(importVulnerabilities, async ({ body, caller, audit }) => {
    const read = body.entries.map(readNvdEntry)
    const problems = read.filter(isProblem)
    const entries = read.filter((one): one is Vulnerability => !isProblem(one))
    const own = entries.filter(({ number }) => BUILT_IN.has(number)).length
    // The last of one number counts.
    const fresh = [...new Map(entries.map((one) => [one.number, one])).values()].filter(
      ({ number }) => !BUILT_IN.has(number),
    )
    const before = new Set(
      (await db.selectFrom('vulnerabilities').select('number').execute()).map(({ number }) => number),
    )
    const added = fresh.filter(({ number }) => !before.has(number)).length
    if (before.size + added > MOST_IMPORTED) throw new ProductError('quota.reached')
    for (const entry of fresh) {
      const values = { entry: JSON.stringify(entry), by_user: caller.userId, added_at: deps.now() }
      await db
        .insertInto('vulnerabilities')
        .values({ number: entry.number, ...values })
        .onConflict((conflict) => conflict.column('number').doUpdateSet(values))
        .execute()
    }
    audit('vulnerabilities', `${added} added, ${fresh.length - added} changed, ${problems.length} not taken`)
    return { added, changed: fresh.length - added, kept: own, problems }
  })

  mount(deleteVulnerability, async ({ body, audit }) => {
    audit(body.number)
    const gone = await db.deleteFrom('vulnerabilities').where('number', '=', body.number).executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw new ProductError('data.missing')
    return {}
  })
}

async function allEntries({ meta }: Pick<ServerDeps, 'meta'>): Promise<Entry[]> {
  const rows = await meta.db.selectFrom('vulnerabilities').select('entry').execute()
  // One that ships with the product since it was imported is the product's.
  const imported = rows
    .map(({ entry }) => ({ ...(entry as Vulnerability), imported: true }))
    .filter(({ number }) => !BUILT_IN.has(number))
  return [...[...BUILT_IN.values()].map((one) => ({ ...one, imported: false })), ...imported]
}

/** Unknown days go last when the newest come first. */
const KEYS: Record<'released' | 'updated' | 'level' | 'number', (one: Entry) => string | number> = {
  released: (one) => one.released ?? '',
  updated: (one) => one.updated ?? '',
  level: (one) => -RANK.indexOf(one.level),
  number: (one) => one.number,
}

function holds({ name, component, introduction }: Entry, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${name.zh} ${name.en} ${component} ${introduction.zh} ${introduction.en}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function lineOf(one: Entry): VulnerabilityLine {
  const { number, type, level, platform, component, name, source, released, updated, cvss, imported } = one
  return {
    number,
    type,
    level,
    platform,
    component,
    name,
    source,
    released,
    updated,
    cvss,
    cvss_confirmed: one.cvssConfirmed,
    known_exploited: one.knownExploited,
    imported,
  }
}
