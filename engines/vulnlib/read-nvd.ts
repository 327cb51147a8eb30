import { productOfCpe } from './affected-range.ts'
import { type AffectedRange, levelOfScore, type Vulnerability } from './vulnerability.ts'

/** Why an entry was not taken. */
export type EntryProblem = {
  readonly number: string
  readonly problem: 'shape' | 'number' | 'rejected' | 'text' | 'score'
}

const NUMBER = /^CVE-\d{4}-\d{4,19}$/
const DAY = /^\d{4}-\d{2}-\d{2}/
const [MOST_TEXT, MOST_REFERENCES, MOST_RANGES] = [8000, 30, 200]
const METRICS = ['cvssMetricV40', 'cvssMetricV31', 'cvssMetricV30', 'cvssMetricV2'] as const
/** Weaknesses (CWE) by the type that the library names them by. */
const TYPES: Readonly<Record<string, string>> = {
  'CWE-22': 'path_traversal',
  'CWE-79': 'xss',
  'CWE-89': 'injection',
  'CWE-77': 'injection',
  'CWE-78': 'injection',
  'CWE-94': 'injection',
  'CWE-119': 'memory_corruption',
  'CWE-120': 'memory_corruption',
  'CWE-125': 'out_of_bounds',
  'CWE-787': 'out_of_bounds',
  'CWE-416': 'use_after_free',
  'CWE-843': 'type_confusion',
  'CWE-190': 'integer_overflow',
  'CWE-200': 'information_disclosure',
  'CWE-287': 'authentication',
  'CWE-862': 'authorization',
  'CWE-863': 'authorization',
  'CWE-295': 'certificate_validation',
  'CWE-327': 'crypto',
  'CWE-326': 'crypto',
  'CWE-352': 'csrf',
  'CWE-362': 'race_condition',
  'CWE-400': 'denial_of_service',
  'CWE-502': 'deserialization',
  'CWE-611': 'xxe',
  'CWE-269': 'privilege_escalation',
  'CWE-20': 'input_validation',
  'CWE-1321': 'prototype_pollution',
  'CWE-347': 'signature_bypass',
}

/**
 * One element of `vulnerabilities` of the NVD's CVE API 2.0 (or of its 2.0 feeds), read defensively: what is there is taken, texts are cut,
 * addresses other than http(s) are dropped. An entry without English description or score is a problem, not a guess.
 */
export function readNvdEntry(entry: unknown): Vulnerability | EntryProblem {
  const cve = record(record(entry)?.['cve'])
  if (!cve) return { number: '', problem: 'shape' }
  const number = text(cve['id'])
  if (!NUMBER.test(number)) return { number: number.slice(0, 40), problem: 'number' }
  if (text(cve['vulnStatus']) === 'Rejected') return { number, problem: 'rejected' }
  const introduction = english(cve['descriptions'])
  if (!introduction) return { number, problem: 'text' }
  const score = scoreOf(record(cve['metrics']))
  if (score === undefined) return { number, problem: 'score' }
  const ranges = rangesOf(cve['configurations'])
  const [first] = ranges
  const component = first ? `${first.vendor} ${first.product}`.replaceAll('_', ' ').slice(0, 200) : ''
  const name = component ? `${component} (${number})` : number
  const exploited = text(cve['cisaExploitAdd'])
  return {
    number,
    type: typeOf(cve['weaknesses']),
    level: levelOfScore(score),
    levelBasis: 'cvss',
    platform: 'app',
    component,
    name: { zh: name, en: name },
    source: 'NVD',
    introduction: { zh: introduction, en: introduction },
    affected: '',
    advice: { zh: '', en: '' },
    fixedIn: '',
    references: list(cve['references'])
      .map((one) => text(record(one)?.['url']))
      .filter((url) => /^https?:\/\/[^\s]{1,2000}$/.test(url))
      .slice(0, MOST_REFERENCES),
    cvss: score,
    cvssConfirmed: true,
    released: dayOf(cve['published']),
    updated: dayOf(cve['lastModified']),
    knownExploited: DAY.test(exploited),
    confirmedBy: ['NVD'],
    ranges,
  }
}

export function isProblem(one: Vulnerability | EntryProblem): one is EntryProblem {
  return 'problem' in one
}

function scoreOf(metrics: Record<string, unknown> | undefined): number | undefined {
  for (const key of METRICS)
    for (const one of list(metrics?.[key])) {
      const score = record(record(one)?.['cvssData'])?.['baseScore']
      if (typeof score === 'number' && score >= 0 && score <= 10) return score
    }
  return undefined
}

function typeOf(weaknesses: unknown): string {
  for (const weakness of list(weaknesses))
    for (const one of list(record(weakness)?.['description'])) {
      const type = TYPES[text(record(one)?.['value'])]
      if (type) return type
    }
  return 'logic'
}

/** The vulnerable products of all configurations, each range once. */
function rangesOf(configurations: unknown): AffectedRange[] {
  const ranges = new Map<string, AffectedRange>()
  for (const configuration of list(configurations))
    for (const node of list(record(configuration)?.['nodes']))
      for (const match of list(record(node)?.['cpeMatch'])) {
        const one = record(match)
        const product = one?.['vulnerable'] === false ? undefined : productOfCpe(text(one?.['criteria']))
        if (!product || ranges.size >= MOST_RANGES) continue
        const { version, ...names } = product
        const end = (name: string, key: string) => {
          const value = text(one?.[key]).slice(0, 60)
          return value ? { [name]: value } : {}
        }
        const range: AffectedRange = {
          ...names,
          ...(version !== undefined && { version }),
          ...end('from', 'versionStartIncluding'),
          ...end('after', 'versionStartExcluding'),
          ...end('before', 'versionEndExcluding'),
          ...end('through', 'versionEndIncluding'),
        }
        ranges.set(JSON.stringify(range), range)
      }
  return [...ranges.values()]
}

function english(descriptions: unknown): string {
  const found = list(descriptions).find((one) => text(record(one)?.['lang']) === 'en')
  return text(record(found)?.['value']).slice(0, MOST_TEXT)
}

function dayOf(time: unknown): string | null {
  const day = text(time)
  return DAY.test(day) ? day.slice(0, 10) : null
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 1000) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
