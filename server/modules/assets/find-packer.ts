import { SDK_SIGNATURES } from '#engines/detect/catalogue/sdk-signatures.ts'
import { hasOwnShell, OWN_SHELL } from '#engines/detect/shell-mark.ts'
import { readProgram } from '#engines/dex/read-program.ts'
import type { Package } from '#engines/package/package.ts'

const PACKERS = SDK_SIGNATURES.filter((one) => one.category === 'packer' && one.confidence === 'high')

/**
 * The packer of a package, recognised by the native library that it leaves in it, or the mark of this product's own. Packed code hides everything else, so code is
 * read only behind such a mark. Undefined if no library of this package belongs to a known packer.
 */
export function findPacker(source: Package): { id: string; name: string } | undefined {
  if (hasOwnShell(source, () => readProgram(source.code))) return { id: 'appwarden', name: OWN_SHELL }
  const { native } = source
  const names = new Set(native.map(({ name }) => name))
  const found = PACKERS.find(({ so }) =>
    so.some((pattern) => (pattern.includes('*') ? [...names].some((name) => fits(pattern, name)) : names.has(pattern))),
  )
  return found && { id: found.id, name: found.zh }
}

function fits(pattern: string, name: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.at(-1) ?? ''
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}
