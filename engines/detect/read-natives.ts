import { FormatError } from '../bytes/format-error.ts'
import type { ElfFacts } from '../elf/elf-facts.ts'
import { type ElfText, elfTexts } from '../elf/elf-texts.ts'
import { readElf } from '../elf/read-elf.ts'
import type { NativeFile, Package } from '../package/package.ts'
import { byteEntropy } from './rules/mask.ts'
import { isMarked } from './rules/package-texts.ts'
import type { NativeCode } from './rules/rule-context.ts'

/** Texts that name versions of components, and those by which libraries check signatures or show what protected them. */
const NATIVE_MARKS =
  /OpenSSL \d|libcurl\/|FFmpeg version|(?:de|in)flate \d|libpng version|WebP|FreeType|expat_|WebM Project|bed TLS|^3\.\d+\.\d+|getPackageInfo|signatures|Obfuscator-LLVM|ollvm|hikari/i
const MOST_TEXTS = 5000
const LONGEST_TEXT = 4096
const ENTROPY_SAMPLE = 2 ** 20

/** Native libraries of a package as rules ask about them; texts are taken of one ABI each. */
export function readNatives(source: Package, onRead: (share: number) => void = () => {}): readonly NativeCode[] {
  const seen = new Set<string>()
  return source.native.map((file, index) => {
    onRead(index / source.native.length)
    const repeated = seen.has(file.name)
    seen.add(file.name)
    return readNative(file, repeated)
  })
}

function readNative(file: NativeFile, repeated: boolean): NativeCode {
  const plain = { entry: file.entry, name: file.name, size: file.size, repeated }
  try {
    const { bytes } = file
    const elf = readElf(bytes)
    const code = elf.sections.find(({ name }) => name === '.text')
    const content = code ? bytes.subarray(code.fileOffset, Math.min(code.fileOffset + code.size, bytes.length)) : null
    return {
      ...plain,
      abi: file.abi || (elf.abi ?? ''),
      elf,
      texts: repeated ? [] : markedTexts(bytes, elf),
      codeSize: code?.size ?? 0,
      codeEntropy: content?.length ? byteEntropy(content.subarray(0, ENTROPY_SAMPLE)) : null,
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { ...plain, abi: file.abi, elf: null, texts: [], codeSize: 0, codeEntropy: null }
  }
}

function markedTexts(bytes: Uint8Array, elf: ElfFacts): readonly ElfText[] {
  const found: ElfText[] = []
  for (const { value, offset } of elfTexts(bytes, elf)) {
    if (found.length >= MOST_TEXTS) break
    const text = value.slice(0, LONGEST_TEXT)
    if (isMarked(text) || NATIVE_MARKS.test(text)) found.push({ value: text, offset })
  }
  return found
}
