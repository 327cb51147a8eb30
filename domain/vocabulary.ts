/**
 * The closed word lists of the product, each with its storage code and both names. Codes are stored: never renumber, only append.
 * Meanings: docs/GLOSSARY.md; colours and shapes of levels: src/shared/theme.
 */

import type { Level } from './levels.ts'

// In a file of their own: the login page shows the levels, and none of the other lists.
export { LEVELS, LEVELS_BY_SEVERITY, type Level } from './levels.ts'

type Word = { readonly code: number; readonly zh: string; readonly en: string }

/** What an event is. An *attack* is an event of type `risk`. */
export const EVENT_TYPES = {
  start: { code: 1, zh: '启动', en: 'Start' },
  risk: { code: 2, zh: '风险触发', en: 'Risk' },
  crash: { code: 3, zh: '崩溃', en: 'Crash' },
  anr: { code: 4, zh: 'ANR', en: 'ANR' },
  exception: { code: 5, zh: '异常', en: 'Exception' },
  env: { code: 6, zh: '环境回传', en: 'Environment' },
  web: { code: 7, zh: 'Web 事件', en: 'Web' },
} as const satisfies Record<string, Word>
export type EventType = keyof typeof EVENT_TYPES

/** Risk types with the level that the default rule gives them. */
export const RISK_TYPES = {
  root: { code: 1, zh: 'Root / 越狱', en: 'Root / jailbreak', level: 'high' },
  hook: { code: 2, zh: 'Hook 框架', en: 'Hook framework', level: 'critical' },
  debugger: { code: 3, zh: '调试器', en: 'Debugger', level: 'high' },
  emulator: { code: 4, zh: '模拟器', en: 'Emulator', level: 'medium' },
  cloud_phone: { code: 5, zh: '云手机', en: 'Cloud phone', level: 'medium' },
  repackaging: { code: 6, zh: '重打包', en: 'Repackaging', level: 'critical' },
  memory_tampering: { code: 7, zh: '内存篡改', en: 'Memory tampering', level: 'critical' },
  injection: { code: 8, zh: '注入', en: 'Injection', level: 'critical' },
  multi_open: { code: 9, zh: '应用多开', en: 'Multi-open', level: 'low' },
  speed_change: { code: 10, zh: '变速', en: 'Speed change', level: 'medium' },
  mock_location: { code: 11, zh: '模拟定位', en: 'Mock location', level: 'medium' },
  proxy_vpn: { code: 12, zh: '代理 / VPN', en: 'Proxy / VPN', level: 'low' },
  mitm: { code: 13, zh: '中间人', en: 'Man in the middle', level: 'high' },
  screen_capture: { code: 14, zh: '截屏录屏', en: 'Screen capture', level: 'info' },
  overlay: { code: 15, zh: '界面劫持', en: 'Overlay hijack', level: 'high' },
  accessibility: { code: 16, zh: '无障碍滥用', en: 'Accessibility abuse', level: 'medium' },
  automation: { code: 17, zh: '自动化', en: 'Automation', level: 'medium' },
  integrity: { code: 18, zh: '完整性不符', en: 'Integrity mismatch', level: 'high' },
  custom: { code: 19, zh: '自定义', en: 'Custom', level: 'info' },
} as const satisfies Record<string, Word & { level: Level }>
export type RiskType = keyof typeof RISK_TYPES

/** What the SDK did. *Blocked* = exit or block; *observed* = the rest. */
export const ACTIONS = {
  none: { code: 0, zh: '无', en: 'None' },
  report: { code: 1, zh: '上报', en: 'Report' },
  warn: { code: 2, zh: '提醒', en: 'Warn' },
  exit: { code: 3, zh: '退出', en: 'Exit' },
  block: { code: 4, zh: '阻断', en: 'Block' },
} as const satisfies Record<string, Word>
export type Action = keyof typeof ACTIONS
/** Actions from this code on count as *blocked*. */
export const BLOCKED_FROM = ACTIONS.exit.code

export const OUTCOMES = {
  blocked: { code: 1, zh: '已拦截', en: 'Blocked' },
  observed: { code: 0, zh: '仅观察', en: 'Observed' },
} as const satisfies Record<string, Word>

/** How an event came: as it happened, or as history posted with an import key (decision 17). */
export const ORIGINS = {
  live: { code: 0, zh: '实时上报', en: 'Reported live' },
  imported: { code: 1, zh: '历史导入', en: 'Imported history' },
} as const satisfies Record<string, Word>

/** Where an event happened: in a page (platform web, or the web SDK inside an app) or in native code. */
export const SURFACES = {
  web: { code: 1, zh: 'Web', en: 'Web' },
  native: { code: 0, zh: '原生', en: 'Native' },
} as const satisfies Record<string, Word>

/** Days of the week by the platform's zone; keys as Date.getDay(). */
export const WEEKDAYS = {
  '0': { code: 0, zh: '周日', en: 'Sunday' },
  '1': { code: 1, zh: '周一', en: 'Monday' },
  '2': { code: 2, zh: '周二', en: 'Tuesday' },
  '3': { code: 3, zh: '周三', en: 'Wednesday' },
  '4': { code: 4, zh: '周四', en: 'Thursday' },
  '5': { code: 5, zh: '周五', en: 'Friday' },
  '6': { code: 6, zh: '周六', en: 'Saturday' },
} as const satisfies Record<string, Word>

/** `mime_type` in payloads (APP-01) is the code of android and ios. */
export const PLATFORMS = {
  android: { code: 1, zh: 'Android', en: 'Android' },
  ios: { code: 2, zh: 'iOS', en: 'iOS' },
  web: { code: 3, zh: 'Web', en: 'Web' },
} as const satisfies Record<string, Word>
export type Platform = keyof typeof PLATFORMS

/** Where a place came from. */
export const PLACE_SOURCES = {
  none: { code: 0, zh: '无归属地', en: 'No place' },
  declared: { code: 1, zh: '声明', en: 'Declared' },
  address: { code: 2, zh: '地址推断', en: 'From address' },
} as const satisfies Record<string, Word>
export type PlaceSource = keyof typeof PLACE_SOURCES

export const PLACE_PRECISIONS = {
  none: { code: 0, zh: '无', en: 'None' },
  country: { code: 1, zh: '国家', en: 'Country' },
  province: { code: 2, zh: '省级', en: 'Province' },
  city: { code: 3, zh: '市级', en: 'City' },
} as const satisfies Record<string, Word>
export type PlacePrecision = keyof typeof PLACE_PRECISIONS

/** The word whose code this is, or undefined. */
export function wordOf<W extends Record<string, Word>>(words: W, code: number): keyof W | undefined {
  for (const key in words) if (words[key]?.code === code) return key
  return undefined
}
