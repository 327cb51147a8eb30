/** A line of the permission data: where use of a permission shows. */
export type ApiReference =
  | { readonly kind: 'code'; readonly pattern: string; readonly argument?: ArgumentCondition }
  /** Text that code loads; `prefix` for addresses of content providers and paths of files. */
  | { readonly kind: 'text'; readonly value: string; readonly prefix: boolean; readonly inManifest: boolean }
  | { readonly kind: 'class'; readonly descriptor: string }

/** The required content of the n-th declared parameter. */
export interface ArgumentCondition {
  readonly index: number
  readonly matches: (value: string) => boolean
}

/**
 * Reads one line: a dex reference or its begin with an optional `arg2=name`, `arg1=8`, `arg1=/pattern/`; `action:`, `content-uri:`,
 * `path:`, `string:`, `class:`.
 */
export function readApiReference(line: string): ApiReference {
  const [, scheme, rest] = /^(action|content-uri|path|string|class):(.+)$/.exec(line) ?? []
  if (scheme === 'class') return { kind: 'class', descriptor: rest! }
  if (scheme)
    return {
      kind: 'text',
      value: rest!,
      prefix: scheme === 'content-uri' || scheme === 'path',
      inManifest: scheme === 'action',
    }
  const [pattern, condition] = line.split(' ')
  const [, index, value] = /^arg(\d+)=(.+)$/.exec(condition ?? '') ?? []
  if (!index) return { kind: 'code', pattern: pattern! }
  const expression = /^\/(.+)\/$/.exec(value!)?.[1]
  const search = expression === undefined ? undefined : new RegExp(expression)
  const matches = search ? (text: string) => search.test(text) : (text: string) => text === value
  return { kind: 'code', pattern: pattern!, argument: { index: Number(index), matches } }
}
