import { ProductError } from '#contracts/errors.ts'
import {
  deleteVulnerability,
  importVulnerabilities,
  MOST_IMPORTED,
  type OwnEntry,
  reviewVulnerabilities,
  saveVulnerability,
  taskVulnerabilities as taskVulnerabilitiesEndpoint,
  VULNERABILITY_LEVELS,
  type VulnerabilityLevel,
  type VulnerabilityLine,
  vulnerabilities,
  vulnerability,
} from '#contracts/http/vulnerabilities.ts'
import { sameRanges } from '#engines/vulnlib/affected-range.ts'
import { mergeEntries } from '#engines/vulnlib/merge-entries.ts'
import { readCnnvdEntry } from '#engines/vulnlib/read-cnnvd.ts'
import { isProblem, readNvdEntry } from '#engines/vulnlib/read-nvd.ts'
import type { AffectedRange, Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { CATALOGUE, itemName } from '../detection/catalogue.ts'
import { findTask, tasksOf } from '../detection/task-rows.ts'
import { affectedPackages, unexamined } from './affected-packages.ts'
import { BUILT_IN, LIBRARY_VERSION, TYPES, typeName } from './built-in.ts'
import { allEntries, type Entry, findEntry, keepEntry } from './entries.ts'
import { noticeEntry } from './notices.ts'
import { taskVulnerabilities } from './task-vulnerabilities.ts'

const RANK = Object.keys(VULNERABILITY_LEVELS) as VulnerabilityLevel[]
const FOUND = 100
/** Packages with an affected component that are listed. */
const PACKAGES = 100

/** The vulnerability library: search, one entry with what it has to do with the caller's applications, import, deletion. */
export const vulnerabilitiesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(vulnerabilities, async ({ query }) => {
    const all = await allEntries(deps.meta)
    const words = query.search.toLowerCase().split(/\s+/).filter(Boolean)
    const part = query.number.toUpperCase()
    const others = all.filter(
      (one) =>
        one.number.toUpperCase().includes(part) &&
        (query.type === '' || one.type === query.type) &&
        (query.platform === '' || one.platform === query.platform) &&
        (query.exploited === '' || one.knownExploited) &&
        (query.origin === '' || one.origin === query.origin) &&
        (query.state === '' ? one.state !== 'rejected' : one.state === query.state) &&
        holds(one, words),
    )
    const levels = { super: 0, high: 0, middle: 0, low: 0 }
    for (const { level } of others) levels[level]++
    const states = { accepted: 0, pending: 0, rejected: 0 }
    for (const { state } of all) states[state]++
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
      states,
      types: Object.entries(TYPES).map(([id, name]) => ({ id, name })),
      platforms: [...new Set(all.map(({ platform }) => platform))].sort(),
      version: LIBRARY_VERSION,
    }
  })

  mount(vulnerability, async ({ query, caller }) => {
    const one = await findEntry(deps.meta, query.number)
    if (!one) throw new ProductError('data.missing')
    const items = CATALOGUE.items.filter(({ references }) => (references.cve as readonly string[]).includes(one.number))
    const mayView = caller.auth.includes('detect.view')
    const stored = await db
      .selectFrom('vulnerabilities')
      .leftJoin('users as author', 'author.id', 'vulnerabilities.by_user')
      .leftJoin('users as reviewer', 'reviewer.id', 'vulnerabilities.reviewed_by')
      .select(['added_at', 'reviewed_at', 'author.username as author', 'reviewer.username as reviewer'])
      .where('number', '=', one.number)
      .executeTakeFirst()
    const packages = mayView ? await affectedPackages(deps.meta, caller, one) : []
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
        ranges: [...(one.ranges ?? [])],
        changed_at: stored?.added_at ?? null,
        added_by: stored?.author ?? '',
        reviewed_by: stored?.reviewer ?? '',
        reviewed_at: stored?.reviewed_at ?? null,
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
      packages: packages.slice(0, PACKAGES).map(({ task, name, version, component, componentVersion, certainty }) => ({
        ...{ task, name, version, component, certainty },
        component_version: componentVersion,
      })),
      unexamined: mayView ? await unexamined(deps.meta, caller) : 0,
    }
  })

  mount(taskVulnerabilitiesEndpoint, async ({ query, caller }) => {
    const task = await findTask(deps.meta, caller, query.id)
    const words = query.search.toLowerCase()
    const found = (await taskVulnerabilities(deps.meta, task.id))
      .filter(
        ({ entry, component, certainty }) =>
          (query.certainty === '' || certainty === query.certainty) &&
          `${entry.number} ${entry.name.zh} ${entry.name.en} ${component}`.toLowerCase().includes(words),
      )
      .toSorted(
        (a, b) =>
          RANK.indexOf(a.entry.level) - RANK.indexOf(b.entry.level) || (a.entry.number < b.entry.number ? 1 : -1),
      )
    return {
      data: found.slice(query.offset, query.offset + query.limit).map(({ entry, origin, ...component }) => ({
        ...{ number: entry.number, name: entry.name, level: entry.level, cvss: entry.cvss, origin },
        ...{ known_exploited: entry.knownExploited, certainty: component.certainty },
        ...{ component: component.component, component_version: component.version },
        fixed_in: { zh: entry.fixedIn, en: entry.fixedInEn ?? entry.fixedIn },
      })),
      total: found.length,
      compared: task.components_kept,
    }
  })

  mount(importVulnerabilities, async ({ body, caller, audit }) => {
    const read = body.entries.map(body.format === 'cnnvd' ? readCnnvdEntry : readNvdEntry)
    const problems = read.filter(isProblem)
    const entries = read.filter((one): one is Vulnerability => !isProblem(one))
    const rows = await db.selectFrom('vulnerabilities').select(['number', 'origin']).execute()
    const before = new Map(rows.map(({ number, origin }) => [number, origin]))
    const stays = (number: string) => BUILT_IN.has(number) || before.get(number) === 'own'
    const kept = entries.filter(({ number }) => stays(number)).length
    // The last of one number counts.
    const fresh = new Map(entries.filter(({ number }) => !stays(number)).map((one) => [one.number, one]))
    const added = [...fresh.keys()].filter((number) => !before.has(number)).length
    if (before.size + added > MOST_IMPORTED) throw new ProductError('quota.reached', { detail: String(MOST_IMPORTED) })
    let rejected = 0
    for (const [number, entry] of fresh) {
      const stored = before.has(number)
        ? await db
            .selectFrom('vulnerabilities')
            .select(['entry', 'state'])
            .where('number', '=', number)
            .executeTakeFirst()
        : undefined
      const known = stored?.entry as Vulnerability | undefined
      const merged = known ? mergeEntries(known, entry) : entry
      const origin = merged.confirmedBy.includes('NVD') ? 'nvd' : 'cnnvd'
      await keepEntry(deps.meta, merged, { origin, userId: caller.userId, now: deps.now() })
      if (stored?.state === 'rejected') rejected++
      // It was accepted, and may concern other packages than then.
      if (stored?.state === 'accepted' && !sameRanges(known?.ranges ?? [], merged.ranges ?? []))
        await noticeEntry(deps.meta, merged, deps.now())
    }
    const changed = fresh.size - added
    audit(
      'vulnerabilities',
      `${added} added, ${changed} changed, ${rejected} of them still rejected, ${problems.length} not taken`,
    )
    return { added, changed, rejected, kept, problems }
  })

  mount(saveVulnerability, async ({ body, caller, audit }) => {
    const { entry, changed_at } = body
    audit(entry.number)
    const stored = await db
      .selectFrom('vulnerabilities')
      .select(['added_at', 'entry'])
      .where('number', '=', entry.number)
      .executeTakeFirst()
    if (BUILT_IN.has(entry.number) || (stored && changed_at === null))
      throw new ProductError('vulnerability.exists', { number: entry.number })
    if (changed_at !== null && stored?.added_at !== changed_at) throw new ProductError('data.conflict')
    if (!stored) {
      const { count } = await db
        .selectFrom('vulnerabilities')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_IMPORTED) throw new ProductError('quota.reached', { detail: String(MOST_IMPORTED) })
    }
    const now = deps.now()
    const written = ownEntry(entry, now)
    await keepEntry(deps.meta, written, { origin: 'own', userId: caller.userId, now, basedOn: changed_at })
    audit(entry.number, '', changesBetween(stored?.entry as Vulnerability | undefined, written))
    await noticeEntry(deps.meta, written, now)
    return { changed_at: now }
  })

  mount(reviewVulnerabilities, async ({ body, caller, audit }) => {
    const { numbers, state } = body
    audit(numbers.slice(0, 20).join(', '), `${numbers.length} ${state}`)
    const rows = await db
      .updateTable('vulnerabilities')
      .set({ state, reviewed_by: caller.userId, reviewed_at: deps.now() })
      .where('number', 'in', numbers)
      .where('state', '<>', state)
      .returning(['number', 'entry'])
      .execute()
    if (rows.length === 0) throw new ProductError('data.missing')
    let notified = 0
    if (state === 'accepted')
      for (const { entry } of rows) notified += await noticeEntry(deps.meta, entry as Vulnerability, deps.now())
    return { changed: rows.length, notified }
  })

  mount(deleteVulnerability, async ({ body, audit }) => {
    audit(body.number)
    const gone = await db
      .deleteFrom('vulnerabilities')
      .where('number', '=', body.number)
      .returning('entry')
      .executeTakeFirst()
    if (!gone) throw new ProductError('data.missing')
    audit(body.number, '', changesBetween(gone.entry as Vulnerability, null))
    return {}
  })
}

/** What an administrator wrote, as an entry of the library. A text given in one language is used for both. */
function ownEntry(entry: OwnEntry, now: number): Vulnerability {
  const both = ({ zh, en }: { zh: string; en: string }) => ({ zh: zh || en, en: en || zh })
  const [first] = entry.ranges
  return {
    number: entry.number,
    type: entry.type,
    level: entry.level,
    levelBasis: entry.cvss === null ? 'assessed_from_impact' : 'cvss',
    platform: entry.platform || 'app',
    component: first ? `${first.vendor} ${first.product}`.trim() : '',
    name: both(entry.name),
    source: '',
    introduction: both(entry.introduction),
    affected: '',
    advice: both(entry.advice),
    fixedIn: entry.fixed_in,
    references: entry.references,
    cvss: entry.cvss,
    cvssConfirmed: false,
    released: entry.released,
    updated: new Date(now).toISOString().slice(0, 10),
    knownExploited: entry.known_exploited,
    confirmedBy: [],
    ranges: entry.ranges as readonly AffectedRange[],
  }
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
  const { number, type, level, platform, component, name, source, released, updated, cvss, origin, state } = one
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
    origin,
    state,
  }
}
