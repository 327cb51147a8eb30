import type { ByteReader } from '../bytes/byte-reader.ts'

/** The qualifiers of a resource configuration that decide which value a device takes; 0 and '' mean any. */
export interface ResourceConfig {
  readonly mcc: number
  readonly mnc: number
  readonly language: string
  readonly country: string
  readonly script: string
  /** 1 portrait, 2 landscape. */
  readonly orientation: number
  /** Dots per inch; 0xfffe any density (vector), 0xffff none. */
  readonly density: number
  readonly sdk: number
  readonly smallestWidth: number
  readonly width: number
  readonly height: number
  /** 0x40 left to right, 0x80 right to left. */
  readonly layoutDirection: number
  /** 1 small … 4 extra large. */
  readonly screenSize: number
  /** UI mode type (3 television, 6 watch …) and night (0x10 no, 0x20 yes). */
  readonly uiType: number
  readonly night: number
}

const ANY_DENSITY = 0xfffe

/** Reads a ResTable_config of `size` bytes; older, shorter ones lack the later fields. */
export function readConfig(reader: ByteReader, at: number, end: number): ResourceConfig {
  const size = at + 4 <= end ? Math.min(reader.seek(at).u32(), end - at) : 0
  const u8 = (offset: number) => (offset < size ? reader.bytes[at + offset]! : 0)
  const u16 = (offset: number) => u8(offset) | (u8(offset + 1) << 8)
  return {
    mcc: u16(4),
    mnc: u16(6),
    language: letters(u8(8), u8(9), 'a'),
    country: letters(u8(10), u8(11), '0'),
    orientation: u8(12),
    density: u16(14),
    sdk: u16(24),
    screenSize: u8(28) & 0x0f,
    layoutDirection: u8(28) & 0xc0,
    uiType: u8(29) & 0x0f,
    night: u8(29) & 0x30,
    smallestWidth: u16(30),
    width: u16(32),
    height: u16(34),
    script: ascii(u8(36), u8(37), u8(38), u8(39)),
  }
}

/** Two letters, or three packed in five bits each. */
function letters(a: number, b: number, base: string): string {
  if (!(a & 0x80)) return ascii(a, b)
  const from = base.charCodeAt(0)
  return String.fromCharCode((b & 0x1f) + from, ((b >> 5) | ((a & 3) << 3)) + from, ((a >> 2) & 0x1f) + from)
}

const ascii = (...codes: number[]): string =>
  String.fromCharCode(...codes.filter((code) => code >= 0x20 && code < 0x7f))

/** `zh-CN`, '' for the default. */
export function localeOf(config: ResourceConfig): string {
  return [config.language, config.script, config.country].filter(Boolean).join('-')
}

/** For whom a value is chosen. */
export interface ConfigPreference {
  language: string
  country: string
  density: number
  sdk: number
  orientation: number
  smallestWidth: number
  width: number
  height: number
  screenSize: number
}

/** An English telephone, newer than any package: what `aapt dump badging` assumes as well. */
export const DEFAULT_PREFERENCE: ConfigPreference = {
  language: 'en',
  country: 'US',
  density: 160,
  sdk: 10_000,
  orientation: 1,
  smallestWidth: 320,
  width: 320,
  height: 480,
  screenSize: 2,
}

/** Whether a device of this kind may take the value at all (ResTable_config::match). */
export function configMatches(config: ResourceConfig, want: ConfigPreference): boolean {
  return (
    config.mcc === 0 &&
    config.mnc === 0 &&
    (!config.language || config.language === want.language) &&
    (!config.country || config.country === want.country) &&
    config.layoutDirection !== 0x80 &&
    config.screenSize <= want.screenSize &&
    config.smallestWidth <= want.smallestWidth &&
    config.width <= want.width &&
    config.height <= want.height &&
    (!config.orientation || config.orientation === want.orientation) &&
    config.uiType <= 1 &&
    config.night !== 0x20 &&
    config.sdk <= want.sdk
  )
}

/** Whether `a` fits better than `b`, both matching (ResTable_config::isBetterThan, in its order). */
export function betterConfig(a: ResourceConfig, b: ResourceConfig, want: ConfigPreference): boolean {
  const locale = (config: ResourceConfig) => (config.language ? 2 : 0) + (config.country ? 1 : 0)
  if (locale(a) !== locale(b)) return locale(a) > locale(b)
  for (const key of ['smallestWidth', 'width', 'height', 'screenSize', 'orientation', 'night'] as const)
    if (a[key] !== b[key]) return a[key] > b[key]
  if (a.density !== b.density) return betterDensity(a.density || 160, b.density || 160, want.density)
  return a.sdk > b.sdk
}

/** Scaling down is twice as good as scaling up. */
function betterDensity(a: number, b: number, want: number): boolean {
  if (a === ANY_DENSITY || b === ANY_DENSITY) return a === ANY_DENSITY
  const high = Math.max(a, b)
  const low = Math.min(a, b)
  if (want >= high) return a === high
  if (low >= want || (2 * low - want) * high > want * want) return a === low
  return a === high
}
