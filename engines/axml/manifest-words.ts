import { attributeName } from './find-attribute.ts'
import type { XmlAttribute } from './read-axml.ts'
import { numberOf } from './typed-value.ts'

/** Words of attributes that hold one of several numbers. */
const CHOICES: Record<string, Record<number, string>> = {
  launchMode: { 0: 'standard', 1: 'singleTop', 2: 'singleTask', 3: 'singleInstance', 4: 'singleInstancePerTask' },
  installLocation: { 0: 'auto', 1: 'internalOnly', 2: 'preferExternal' },
  screenOrientation: {
    [-1]: 'unspecified',
    0: 'landscape',
    1: 'portrait',
    2: 'user',
    3: 'behind',
    4: 'sensor',
    5: 'nosensor',
    6: 'sensorLandscape',
    7: 'sensorPortrait',
    8: 'reverseLandscape',
    9: 'reversePortrait',
    10: 'fullSensor',
    11: 'userLandscape',
    12: 'userPortrait',
    13: 'fullUser',
    14: 'locked',
  },
}

/** Words of attributes that hold bits. */
const BITS: Record<string, Record<number, string>> = {
  configChanges: {
    1: 'mcc',
    2: 'mnc',
    4: 'locale',
    8: 'touchscreen',
    16: 'keyboard',
    32: 'keyboardHidden',
    64: 'navigation',
    128: 'orientation',
    256: 'screenLayout',
    512: 'uiMode',
    1024: 'screenSize',
    2048: 'smallestScreenSize',
    4096: 'density',
    8192: 'layoutDirection',
    16384: 'colorMode',
    268435456: 'fontWeightAdjustment',
    1073741824: 'fontScale',
  },
  foregroundServiceType: {
    1: 'dataSync',
    2: 'mediaPlayback',
    4: 'phoneCall',
    8: 'location',
    16: 'connectedDevice',
    32: 'mediaProjection',
    64: 'camera',
    128: 'microphone',
    256: 'health',
    512: 'remoteMessaging',
    1024: 'systemExempted',
    2048: 'shortService',
    1073741824: 'specialUse',
  },
  usesPermissionFlags: { 65536: 'neverForLocation' },
}

const PROTECTION = ['normal', 'dangerous', 'signature', 'signatureOrSystem', 'internal']
const PROTECTION_FLAGS: Record<number, string> = {
  16: 'privileged',
  32: 'development',
  64: 'appop',
  128: 'pre23',
  256: 'installer',
  512: 'verifier',
  1024: 'preinstalled',
  2048: 'setup',
  4096: 'instant',
  8192: 'runtimeOnly',
}

/** The number of a manifest attribute in the words of the source (`singleTask`, `signature|privileged`), where it has such words. */
export function manifestWords(attribute: XmlAttribute): string | undefined {
  const value = numberOf(attribute.value)
  if (value === undefined) return undefined
  const name = attributeName(attribute)
  if (name === 'protectionLevel') {
    const base = PROTECTION[value & 0xf]
    return base && [base, ...(bitWords(value & ~0xf, PROTECTION_FLAGS) ?? [])].join('|')
  }
  const bits = BITS[name]
  return bits ? bitWords(value, bits)?.join('|') : CHOICES[name]?.[value]
}

/** Undefined where a bit has no word. */
function bitWords(value: number, words: Record<number, string>): string[] | undefined {
  const found: string[] = []
  for (let left = value >>> 0; left; ) {
    const bit = left & -left
    const word = words[bit >>> 0]
    if (!word) return value === 0 ? [] : undefined
    found.push(word)
    left = (left & ~bit) >>> 0
  }
  return found
}
