import type { Text } from '../result/scan-result.ts'
import { masked } from '../rules/mask.ts'
import { secretsIn } from '../rules/secret-rules.ts'
import { shown } from './phone-text.ts'

export interface FoundLeak {
  readonly kind: string
  readonly name: Text
  readonly value: string
  /** The text with every such value hidden in its middle. */
  readonly line: string
}

const LONGEST = 4000
const SHOWN = 400

interface Personal {
  readonly kind: string
  readonly name: Text
  readonly pattern: RegExp
  readonly accepts?: (value: string) => boolean
}

/** Personal information that has a form of its own, or a label in front of it. Each pattern is linear in the text. */
const PERSONAL: readonly Personal[] = [
  {
    kind: 'identity_card',
    name: { zh: '身份证号', en: 'identity card number' },
    pattern:
      /(?<![\dA-Za-z])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])/g,
    accepts: isIdentityCard,
  },
  {
    kind: 'bank_card',
    name: { zh: '银行卡号', en: 'bank card number' },
    pattern: /(?<![\dA-Za-z.-])(?:62\d{14,17}|4\d{15}|5[1-5]\d{14})(?![\dA-Za-z.-])/g,
    accepts: isLuhn,
  },
  {
    kind: 'mobile_number',
    name: { zh: '手机号', en: 'mobile number' },
    pattern: /(?<![\dA-Za-z.:_-])(?:\+?86[ -]?)?1[3-9]\d{9}(?![\dA-Za-z.:_-])/g,
    accepts: (value) => !/(\d)\1{7}/.test(value),
  },
  {
    kind: 'device_number',
    name: { zh: '设备标识（IMEI）', en: 'device number (IMEI)' },
    pattern: /\bimei["']?\s{0,3}[:=]\s{0,3}["']?(\d{15})(?!\d)/gi,
    accepts: isLuhn,
  },
  {
    kind: 'position',
    name: { zh: '经纬度', en: 'position' },
    pattern: /\blat(?:itude)?["']?\s{0,3}[:=]\s{0,3}(-?\d{1,2}\.\d{3,12})\b/gi,
  },
  {
    kind: 'password',
    name: { zh: '口令或令牌', en: 'password or token' },
    pattern:
      /\b(?:password|passwd|pwd|pin_?code|access_?token|refresh_?token|session_?id)["']?\s{0,3}[:=>]\s{0,3}["']?([^\s"'&,;}<>]{6,80})/gi,
    accepts: (value) => !/^(?:null|undefined|true|false|none|\*+|[x•]+|<.*>|\[.*\]|android\..*|java\..*)$/i.test(value),
  },
  {
    kind: 'authorization',
    name: { zh: '认证头', en: 'authorization header' },
    pattern: /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic)\s{1,3}([\w.~+/=-]{12,400})/gi,
  },
]

/** Secrets and personal information in a line of a log or a small file, each value once. */
export function findLeaks(text: string): FoundLeak[] {
  const bounded = text.slice(0, LONGEST)
  const found = new Map<string, { kind: string; name: Text }>()
  for (const { item, name, value } of secretsIn(bounded)) if (!found.has(value)) found.set(value, { kind: item, name })
  for (const { kind, name, pattern, accepts } of PERSONAL)
    for (const match of bounded.matchAll(pattern)) {
      const value = match[1] ?? match[0]
      if (!found.has(value) && (accepts?.(value) ?? true)) found.set(value, { kind, name })
    }
  if (found.size === 0) return []
  // The longest first: one value may be part of another.
  const values = [...found.keys()].sort((a, b) => b.length - a.length)
  // Hidden before it is cut: no half of a value stays.
  const hidden = values.reduce((line, value) => line.replaceAll(value, masked(value)), bounded)
  return [...found].map(([value, { kind, name }]) => ({
    kind,
    name,
    value: shown(masked(value)),
    line: shown(around(hidden, Math.max(0, hidden.indexOf(masked(value)))), SHOWN),
  }))
}

/** The line around a position in a text, of a bounded length. */
function around(text: string, at: number): string {
  const begin = Math.max(text.lastIndexOf('\n', at) + 1, at - SHOWN / 2)
  const end = text.indexOf('\n', at)
  return text.slice(begin, Math.min(end < 0 ? text.length : end, begin + 2 * SHOWN))
}

function isLuhn(value: string): boolean {
  let sum = 0
  for (const [index, digit] of [...value].reverse().entries()) {
    const doubled = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

function isIdentityCard(value: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(value[index]), 0)
  return '10X98765432'[sum % 11] === value[17]?.toUpperCase()
}
