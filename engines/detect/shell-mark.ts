import { createHash } from 'node:crypto'
import type { Program } from '../dex/program.ts'
import type { Package } from '../package/package.ts'
import { entryHead } from '../zip/entry-bytes.ts'
import { componentClasses, STUB_CLASSES } from './code-gaps.ts'
import { descriptorOf } from './evidence/locations.ts'

/** Who hides the code of a package with such an entry. Names of its classes differ in each build, so that no signature knows them. */
export const OWN_SHELL = 'AppWarden'

/**
 * What an entry with encrypted code begins with, behind its 32 bytes of integrity: eight random bytes, and eight that follow from them. Nothing in it is
 * the same in two builds, and who knows the rule recognises it, so that a scan says who hides the code.
 */
export const SHELL_MARK = { offset: 32, size: 16 } as const

/** @param start eight bytes */
export function shellMark(start: Uint8Array): Uint8Array {
  const rest = createHash('sha256').update(OWN_SHELL).update(start).digest()
  return Buffer.concat([start, rest.subarray(0, SHELL_MARK.size - start.length)])
}

/**
 * Whether reinforcement by this product encrypted the code of the package (option `dex_protection`). Anybody can write a mark, so it counts only where the
 * readable code is that of a loader: few classes, and no component of the manifest among them.
 * @param code is asked only where there is a mark
 */
export function hasOwnShell(source: Package, code: () => Program | null): boolean {
  if (!('facts' in source) || source.platform !== 'android' || !hasMark(source)) return false
  const program = code()
  if (!program || program.classCount > STUB_CLASSES) return false
  return componentClasses(source.facts).every((name) => !program.classOf(descriptorOf(name)))
}

function hasMark({ archives }: Package): boolean {
  const { offset, size } = SHELL_MARK
  return archives.some(({ zip }) =>
    [...zip.byName.values()].some((entry) => {
      if (!/^assets\/[a-z]{8}$/.test(entry.name) || entry.size <= offset + size) return false
      const mark = entryHead(zip, entry, offset + size).subarray(offset)
      return Buffer.compare(shellMark(mark.subarray(0, size / 2)), mark) === 0
    }),
  )
}
