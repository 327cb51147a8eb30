import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { IngestStatus } from '#realtime/collect/collector.ts'
import { metricsText } from './metrics.ts'

const ingest: IngestStatus = {
  accepted: 7,
  pending: 1,
  duplicates: 2,
  imported: 3,
  quarantined: { too_old: 4 },
  rejected: { type: 5, 'a"b\\c\nd': 1 },
  refused: { 'collect.key': 6 },
  per_second: 1.5,
  dedup: { entries: 8, window_seconds: 960 },
} as unknown as IngestStatus
const text = metricsText({
  ingest,
  relay: { clients: 1, topics: 2, frames: 3, fellBehind: 4 } as Parameters<typeof metricsText>[0]['relay'],
  store: { known: true, rows: 1, bytes: 2, backlogEvents: 3, lagSeconds: 4 } as Parameters<
    typeof metricsText
  >[0]['store'],
  journalBacklogBytes: 9,
})

type Family = { type: string; help: string; samples: { labels: Record<string, string>; value: number }[] }

/** The text format 0.0.4 of Prometheus, strictly; throws where a line breaks it. */
function parseMetrics(all: string): Map<string, Family> {
  const families = new Map<string, Family>()
  expect(all.endsWith('\n')).toBe(true)
  const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
  const helps = new Map<string, string>()
  for (const line of all.slice(0, -1).split('\n')) {
    const help = new RegExp(`^# HELP (${name}) (.*)$`).exec(line)
    const type = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`).exec(line)
    const sample = new RegExp(`^(${name})(?:\\{(.*)\\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`).exec(line)
    if (help) helps.set(help[1] as string, help[2] as string)
    else if (type) {
      if (families.has(type[1] as string)) throw new Error(`twice: ${line}`)
      families.set(type[1] as string, {
        type: type[2] as string,
        help: helps.get(type[1] as string) ?? '',
        samples: [],
      })
    } else if (sample) {
      const family = families.get(sample[1] as string)
      // All lines of one metric stand together, behind its type.
      if (!family || [...families.keys()].at(-1) !== sample[1]) throw new Error(`out of place: ${line}`)
      const labels: Record<string, string> = {}
      let rest = sample[2] ?? ''
      while (rest !== '') {
        const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest)
        if (!label) throw new Error(`labels: ${line}`)
        labels[label[1] as string] = label[2] as string
        rest = rest.slice(label[0].length)
      }
      family.samples.push({ labels, value: Number(sample[3]) })
    } else throw new Error(`no metric: ${line}`)
  }
  return families
}

test('metrics are in the text format of Prometheus: type and help first, counters end in _total, labels are escaped', () => {
  const families = parseMetrics(text)
  for (const [name, { type, help, samples }] of families) {
    expect([name, help.length > 5, name.startsWith('appwarden_')]).toEqual([name, true, true])
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect([name, samples.every(({ value }) => Number.isFinite(value))]).toEqual([name, true])
    const keys = samples.map(({ labels }) => JSON.stringify(labels))
    expect(new Set(keys).size).toBe(keys.length)
  }
  expect(families.get('appwarden_events_accepted_total')).toMatchObject({ type: 'counter', samples: [{ value: 7 }] })
  expect(families.get('appwarden_events_rejected_total')?.samples).toEqual([
    { labels: { field: 'type' }, value: 5 },
    { labels: { field: 'a_b_c_d' }, value: 1 },
  ])
  expect(() => parseMetrics('appwarden_x{a="b} 1\n')).toThrow()
  expect(() => parseMetrics('# TYPE a counter\n# TYPE a gauge\n')).toThrow('twice')
})

test('docs/operations/monitoring.md and the dashboard list exactly the metrics that are printed, with their types and meanings', () => {
  const page = readFileSync('docs/operations/monitoring.md', 'utf8')
  const listed = [...page.matchAll(/^\| (appwarden_\w+) \| (\w+) \| (.*) \|$/gm)].map(([, ...row]) => row)
  const printed = [...parseMetrics(text)].map(([name, { type, help }]) => [name, type, help])
  expect(listed).toEqual(printed)
  const dashboard = readFileSync('docs/operations/grafana-dashboard.json', 'utf8')
  expect(printed.filter(([name]) => !dashboard.includes(name as string))).toEqual([])
})

test('without ingest, relay and store only what is known is printed', () => {
  const store = { known: false } as Parameters<typeof metricsText>[0]['store']
  const families = parseMetrics(metricsText({ ingest: undefined, relay: undefined, store, journalBacklogBytes: 0 }))
  expect([...families.keys()]).toEqual([
    'appwarden_store_up',
    'appwarden_journal_backlog_bytes',
    'appwarden_process_resident_bytes',
  ])
})
