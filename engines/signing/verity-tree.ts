import { createHash } from 'node:crypto'

const PAGE = 4096
const HASH = 32

/**
 * Merkle tree of fs-verity over parts that follow each other: SHA-256 of salt and page, page by page, the last page of each level
 * filled with zeros. `tree` holds the levels, the top one first; `root` is the hash of its only page.
 */
export function verityTree(parts: readonly Uint8Array[], salt: Uint8Array): { root: Buffer; tree: Buffer } {
  let level = hashPages(parts, salt)
  const levels = [level]
  while (level.length > PAGE) {
    level = hashPages([level], salt)
    levels.unshift(level)
  }
  return { root: hashPage(salt, level), tree: Buffer.concat(levels) }
}

/** The hashes of all pages, filled up to whole pages. */
function hashPages(parts: readonly Uint8Array[], salt: Uint8Array): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const hashes = Buffer.alloc(Math.ceil((Math.ceil(size / PAGE) * HASH) / PAGE) * PAGE)
  const page = new Uint8Array(PAGE)
  let filled = 0
  let at = 0
  const put = (bytes: Uint8Array) => {
    at += hashPage(salt, bytes).copy(hashes, at)
  }
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      if (filled === 0 && part.length - from >= PAGE) {
        put(part.subarray(from, from + PAGE))
        from += PAGE
        continue
      }
      const piece = part.subarray(from, from + PAGE - filled)
      page.set(piece, filled)
      filled += piece.length
      from += piece.length
      if (filled === PAGE) {
        put(page)
        filled = 0
      }
    }
  if (filled) put(page.fill(0, filled))
  return hashes
}

function hashPage(salt: Uint8Array, page: Uint8Array): Buffer {
  return createHash('sha256').update(salt).update(page).digest()
}
