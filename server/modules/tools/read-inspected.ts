import type { InspectedPackage, PackageEntry } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { axmlText } from '#engines/axml/axml-text.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import type { ElfFacts } from '#engines/elf/elf-facts.ts'
import { readElf } from '#engines/elf/read-elf.ts'
import type { Package } from '#engines/package/package.ts'
import { fileNamed } from '#engines/package/package-files.ts'
import { PACKAGE_LIMITS } from '#engines/package/package-limits.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { plistJson } from '#engines/plist/plist-node.ts'
import { drawIcon } from '../assets/draw-icon.ts'
import { describePackage } from '../assets/inspect-package.ts'
import { describeFile } from './describe-file.ts'

/**
 * Everything that the inspector shows of a package. Throws FormatError if the bytes are no package.
 * @param most maximum number of entries in the answer
 */
export function readInspected(bytes: Uint8Array, name: string, most: number): InspectedPackage {
  const found = readPackage(bytes, name)
  const { icon, kind, platform, versionCode, packageName, packer, signature, facts, ...rest } = describePackage(found)
  const entries = entriesOf(found)
  return {
    file: describeFile(bytes, name),
    kind,
    platform,
    name: rest.name,
    version: rest.version,
    version_code: versionCode,
    package_name: packageName,
    packer,
    signature,
    facts: found.kind === 'so' ? { ...facts, ...libraryFacts(bytes) } : facts,
    icon: icon ? drawIcon(icon) : null,
    manifest: manifestOf(found),
    entries: entries.slice(0, most),
    entry_total: entries.length,
  }
}

function entriesOf(found: Package): PackageEntry[] {
  return found.archives.flatMap(({ prefix, zip }) =>
    zip.entries
      .filter(({ isDirectory }) => !isDirectory)
      .map(({ name, size, compressedSize, method, crc32 }) => ({
        name: prefix + name,
        size,
        packed: compressedSize,
        method,
        crc32: crc32 >>> 0,
      })),
  )
}

/** What the package says of itself, as text to read; null where it has no such part. */
function manifestOf(found: Package): InspectedPackage['manifest'] {
  const written = (form: 'xml' | 'json' | 'text', text: string) => ({
    form,
    text: text.slice(0, TOOL_LIMITS.manifest),
    cut: text.length > TOOL_LIMITS.manifest,
  })
  if (found.kind === 'ipa') return written('json', JSON.stringify(plistJson(found.facts.info.node), null, 2))
  if (found.kind === 'so') return null
  if (found.kind !== 'jar') return written('xml', axmlText(found.manifest))
  try {
    const file = fileNamed(found, 'META-INF/MANIFEST.MF', PACKAGE_LIMITS.zip)
    return file ? written('text', Buffer.from(file.bytes).toString('utf8')) : null
  } catch (error) {
    if (error instanceof FormatError) return null // the entry cannot be unpacked; the list of entries shows it
    throw error
  }
}

/** Of a bare library: what its header says, in the shape of a package. */
function libraryFacts(bytes: Uint8Array): Pick<InspectedPackage['facts'], 'identity' | 'notes'> {
  try {
    return { identity: identityOf(readElf(bytes)), notes: [] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { identity: [], notes: [{ key: error.key, detail: error.message.slice(0, 500) }] }
  }
}

function identityOf(elf: ElfFacts): { key: string; value: string }[] {
  const rows: [string, string | undefined][] = [
    ['machine', `${elf.machine} (${elf.bits})`],
    ['soname', elf.soname?.value],
    ['needed', elf.needed.map(({ value }) => value).join(', ')],
    ['build_id', elf.buildId?.value],
    ['relro', elf.relro.value],
    ['bind_now', String(elf.bindNow.value)],
    ['nx', String(elf.noExecutableStack.value)],
    ['canary', String(elf.stackCanary.value)],
    ['fortify', String(elf.fortify.checked.length > 0)],
    ['stripped', String(elf.stripped)],
    ['text_relocations', String(elf.textRelocations.value)],
    ['exports', String(elf.exports.length)],
    ['imports', String(elf.imports.length)],
  ]
  return rows.flatMap(([key, value]) => (value ? [{ key, value: value.slice(0, 2000) }] : []))
}
