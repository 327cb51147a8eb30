import type { Evident } from './elf-facts.ts'
import type { ElfImage } from './elf-image.ts'

const PT_NOTE = 4
const NT_GNU_BUILD_ID = 3
const LONGEST = 64
const MOST_NOTES = 10_000

/** The identifier that the linker gives a build, in hex. */
export function buildIdOf(image: ElfImage): Evident<string> | null {
  let seen = 0
  for (const { type, fileOffset, fileSize } of image.segments) {
    if (type !== PT_NOTE) continue
    const end = Math.min(fileOffset + fileSize, image.bytes.length)
    for (let at = fileOffset; at + 12 <= end && seen++ < MOST_NOTES; ) {
      const nameSize = image.u32(at)
      const size = image.u32(at + 4)
      const content = at + 12 + aligned(nameSize)
      if (content + size > end) {
        image.note('notes', at, 'a note runs over its segment')
        break
      }
      const isBuildId = image.u32(at + 8) === NT_GNU_BUILD_ID && image.text(at + 12, at + 12 + nameSize) === 'GNU'
      if (isBuildId && size > 0 && size <= LONGEST)
        return { value: Buffer.from(image.bytes.subarray(content, content + size)).toString('hex'), offset: content }
      at = content + aligned(size)
    }
  }
  return null
}

const aligned = (size: number): number => 4 * Math.ceil(size / 4)
