import { FormatError } from '../bytes/format-error.ts'
import { readXml, type TextElement } from '../xml/read-xml.ts'
import { productOfCpe } from './affected-range.ts'
import type { EntryProblem } from './read-nvd.ts'
import type { AffectedRange, Vulnerability, VulnerabilityLevel } from './vulnerability.ts'

const NUMBER = /^CNNVD-\d{6}-\d{3,5}$/
const CVE = /^CVE-\d{4}-\d{4,19}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const [MOST_TEXT, MOST_REFERENCES, MOST_RANGES] = [8000, 30, 200]
const LIMITS = { depth: 16, elements: 5000, size: 256 * 1024 }

const LEVELS: Readonly<Record<string, VulnerabilityLevel>> = {
  超危: 'super',
  高危: 'high',
  中危: 'middle',
  低危: 'low',
}
/** Weakness types of CNNVD by the type that the library names them by. */
const TYPES: readonly (readonly [string, string])[] = [
  ['缓冲区', 'memory_corruption'],
  ['路径遍历', 'path_traversal'],
  ['跨站脚本', 'xss'],
  ['跨站请求伪造', 'csrf'],
  ['注入', 'injection'],
  ['信任管理', 'certificate_validation'],
  ['信息泄露', 'information_disclosure'],
  ['授权', 'authorization'],
  ['权限许可', 'privilege_escalation'],
  ['访问控制', 'authorization'],
  ['数字错误', 'integer_overflow'],
  ['竞争条件', 'race_condition'],
  ['加密', 'crypto'],
  ['资源管理', 'denial_of_service'],
  ['反序列化', 'deserialization'],
  ['代码问题', 'logic'],
  ['输入验证', 'input_validation'],
]

/**
 * One `entry` element of a CNNVD XML file, as text, read as defensively as readNvdEntry. Its number is the CVE number where the entry names
 * one, so that the same flaw of two sources is one entry. CNNVD publishes a level and no score.
 */
export function readCnnvdEntry(text: unknown): Vulnerability | EntryProblem {
  let entry: TextElement
  try {
    entry = readXml(Buffer.from(typeof text === 'string' ? text : ''), LIMITS)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { number: '', problem: 'shape' }
  }
  if (entry.name !== 'entry') return { number: '', problem: 'shape' }
  const own = textOf(entry, 'vuln-id')
  if (!NUMBER.test(own)) return { number: own.slice(0, 40), problem: 'number' }
  const level = LEVELS[textOf(entry, 'severity')]
  if (!level) return { number: own, problem: 'score' }
  const introduction = textOf(entry, 'vuln-descript').slice(0, MOST_TEXT)
  if (!introduction) return { number: own, problem: 'text' }
  const cve = textOf(child(entry, 'other-id'), 'cve-id')
  const title = textOf(entry, 'name').slice(0, 300) || own
  const type = textOf(entry, 'vuln-type')
  const advice = textOf(entry, 'vuln-solution').slice(0, MOST_TEXT)
  const ranges = rangesOf(child(entry, 'vuln-software-list'))
  const [first] = ranges
  return {
    number: CVE.test(cve) ? cve : own,
    type: TYPES.find(([word]) => type.includes(word))?.[1] ?? 'logic',
    level,
    levelBasis: 'vendor',
    platform: 'app',
    component: first ? `${first.vendor} ${first.product}`.replaceAll('_', ' ').trim() : '',
    name: { zh: title, en: title },
    source: `CNNVD ${own}`,
    introduction: { zh: introduction, en: introduction },
    affected: '',
    advice: { zh: advice, en: advice },
    fixedIn: '',
    references: (child(entry, 'refs')?.children ?? [])
      .map((one) => textOf(one, 'ref-url'))
      .filter((url) => /^https?:\/\/[^\s]{1,2000}$/.test(url))
      .slice(0, MOST_REFERENCES),
    cvss: null,
    cvssConfirmed: false,
    released: dayOf(textOf(entry, 'published')),
    updated: dayOf(textOf(entry, 'modified')),
    knownExploited: false,
    confirmedBy: ['CNNVD'],
    ranges,
  }
}

function rangesOf(list: TextElement | undefined): AffectedRange[] {
  const ranges = new Map<string, AffectedRange>()
  for (const { name, text } of list?.children ?? []) {
    // Older files write CPE 2.2 (`cpe:/a:vendor:product:version`).
    const cpe = text.trim().replace(/^cpe:\/(\w):/, 'cpe:2.3:$1:')
    const product = name === 'product' ? productOfCpe(cpe) : undefined
    if (product && ranges.size < MOST_RANGES) ranges.set(JSON.stringify(product), product)
  }
  return [...ranges.values()]
}

const child = (parent: TextElement | undefined, name: string) => parent?.children.find((one) => one.name === name)
const textOf = (parent: TextElement | undefined, name: string): string => child(parent, name)?.text.trim() ?? ''
const dayOf = (day: string): string | null => (DAY.test(day) ? day : null)
