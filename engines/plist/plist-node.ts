/** A value of a property list and its location. */
export type PlistNode =
  | { readonly type: 'dictionary'; readonly offset: number; readonly entries: ReadonlyMap<string, PlistNode> }
  | { readonly type: 'array'; readonly offset: number; readonly items: readonly PlistNode[] }
  | { readonly type: 'string'; readonly offset: number; readonly value: string }
  /** A bigint where a number could not hold it exactly. */
  | { readonly type: 'integer'; readonly offset: number; readonly value: number | bigint }
  | { readonly type: 'real'; readonly offset: number; readonly value: number }
  | { readonly type: 'boolean'; readonly offset: number; readonly value: boolean }
  /** Milliseconds since 1970. */
  | { readonly type: 'date'; readonly offset: number; readonly value: number }
  | { readonly type: 'data'; readonly offset: number; readonly value: Uint8Array }
  /** Of keyed archives. */
  | { readonly type: 'uid'; readonly offset: number; readonly value: number }
  | { readonly type: 'null'; readonly offset: number; readonly value: null }

/** Above one of them FormatError `limit` is thrown. */
export interface PlistLimits {
  readonly depth: number
  /** Values, those counted again that several locations of a binary list share. */
  readonly values: number
  readonly size: number
}

export const PLIST_LIMITS: PlistLimits = { depth: 128, values: 200_000, size: 64 * 2 ** 20 }

/** The value at a path of dictionary keys and array positions; undefined if absent. */
export function plistAt(node: PlistNode | undefined, ...path: readonly (string | number)[]): PlistNode | undefined {
  let found = node
  for (const step of path) {
    if (found?.type === 'dictionary' && typeof step === 'string') found = found.entries.get(step)
    else if (found?.type === 'array' && typeof step === 'number') found = found.items[step]
    else return undefined
  }
  return found
}

/** The text at a path, undefined if the value is absent or not a text. */
export function plistText(node: PlistNode | undefined, ...path: readonly (string | number)[]): string | undefined {
  const found = plistAt(node, ...path)
  return found?.type === 'string' ? found.value : undefined
}

/** The items of an array at a path that are text. */
export function plistTexts(node: PlistNode | undefined, ...path: readonly (string | number)[]): string[] {
  const found = plistAt(node, ...path)
  return found?.type === 'array' ? found.items.flatMap((item) => (item.type === 'string' ? [item.value] : [])) : []
}

/** What is written as true: a boolean, or a number other than 0. Undefined where nothing is. */
export function plistFlag(node: PlistNode | undefined, ...path: readonly (string | number)[]): boolean | undefined {
  const found = plistAt(node, ...path)
  if (found?.type === 'boolean') return found.value
  if (found?.type === 'integer') return BigInt(found.value) !== 0n
  return found?.type === 'string' ? /^(yes|true|1)$/i.test(found.value) : undefined
}

/** The value without offsets, as JSON can write it: dates as ISO text, data in base64, large integers as digits. */
export function plistJson(node: PlistNode): unknown {
  switch (node.type) {
    case 'dictionary':
      return Object.fromEntries([...node.entries].map(([key, value]) => [key, plistJson(value)]))
    case 'array':
      return node.items.map(plistJson)
    case 'date':
      return new Date(node.value).toISOString()
    case 'data':
      return Buffer.from(node.value.buffer, node.value.byteOffset, node.value.length).toString('base64')
    case 'integer':
      return typeof node.value === 'bigint' ? String(node.value) : node.value
    default:
      return node.value
  }
}
