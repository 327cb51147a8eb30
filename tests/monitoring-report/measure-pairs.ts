import { createHash } from 'node:crypto'
import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { type CopyVerdict, judgeCopy } from '#engines/similarity/judge-copy.ts'
import { textLikeness } from '#engines/similarity/label-likeness.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import { readPrint } from '#engines/similarity/read-print.ts'
import { THRESHOLDS, type Thresholds } from '#engines/similarity/thresholds.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { drawPixels } from './draw-icon.ts'
import { COPY_KINDS, type CopyKind, makeCopy, makeKeys, published } from './make-copies.ts'

export const PAIR_SEED = 20_261_126

/** A package that copies are made of. */
export interface Original {
  readonly name: string
  bytes(): Uint8Array
}

/** A reference and a copy, and what the copy is. */
export interface Pair {
  readonly reference: PackagePrint
  readonly copy: PackagePrint
  readonly kind: string
  readonly truth: CopyVerdict
  /** Thresholds are chosen on the pairs of one half of the originals and reported on the other. */
  readonly half: 'chosen' | 'reported'
}

export const printOf = (apk: Uint8Array): PackagePrint => readPrint(readPackage(apk, 'copy.apk'), { draw: drawPixels })

const halfOf = (name: string): Pair['half'] =>
  createHash('sha256').update(name).digest()[0]! % 2 === 0 ? 'chosen' : 'reported'

export const UNRELATED: CopyKind = { name: 'another application', truth: 'unrelated' }
export const REAL_VERSION: CopyKind = { name: 'another version, both real', truth: 'other-version' }

export interface Measured {
  readonly pairs: Pair[]
  /** Copies that could not be made, by kind, and packages that could not be read. */
  readonly left: Map<string, number>
}

/**
 * All pairs of the originals: each published by its owner, against copies of every kind, against `unrelated` others published by theirs, and
 * the real packages as they are against each other where they have the same id and signer.
 */
export function measurePairs(originals: readonly Original[], unrelated: number, say: (line: string) => void): Measured {
  const random = new Random(PAIR_SEED)
  const left = new Map<string, number>()
  const leave = (what: string) => void left.set(what, (left.get(what) ?? 0) + 1)
  const pairs: Pair[] = []
  const references: { name: string; print: PackagePrint; real: PackagePrint }[] = []
  for (const [at, original] of originals.entries()) {
    const bytes = original.bytes()
    const keys = makeKeys()
    const half = halfOf(original.name)
    const read = attempt(() => {
      const apk = published(bytes, keys)
      return { apk, print: printOf(apk), real: printOf(bytes) }
    })
    if (!read) {
      leave('packages that cannot be signed or read')
      continue
    }
    const other = originals[(at + 1 + random.below(originals.length - 1)) % originals.length]!.bytes()
    for (const { name, truth } of COPY_KINDS) {
      const copy = makeCopy(name, read.apk, other, keys, random)
      const print = copy && attempt(() => printOf(copy))
      if (!print) leave(`copies: ${name}`)
      else pairs.push({ reference: read.print, copy: print, kind: name, truth, half })
    }
    references.push({ name: original.name, print: read.print, real: read.real })
    say(`${at + 1} of ${originals.length}: ${original.name}, ${pairs.length} pairs`)
  }
  references.forEach(({ name, print, real }, at) => {
    const half = halfOf(name)
    const others = references.filter((one) => isOther(one.print, print) && halfOf(one.name) === half)
    for (let count = 0; count < unrelated && others.length; count++) {
      const [one] = others.splice(random.below(others.length), 1)
      pairs.push({ reference: print, copy: one!.print, kind: UNRELATED.name, truth: UNRELATED.truth, half })
    }
    for (const { real: later } of references.slice(at + 1)) {
      if (later.package !== real.package || later.sha256 === real.sha256) continue
      const shared = later.signer.certificates.some((one) => real.signer.certificates.includes(one))
      if (
        shared &&
        !real.signer.isPublicKey &&
        later.signer.state === 'verified' &&
        later.versionCode !== real.versionCode
      )
        pairs.push({ reference: real, copy: later, kind: REAL_VERSION.name, truth: REAL_VERSION.truth, half })
    }
  })
  return { pairs, left }
}

/** Ids that differ in little are of one maker: whether one was made of the other is not known here. */
const isOther = (a: PackagePrint, b: PackagePrint): boolean => textLikeness(a.package, b.package) < 0.8

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

export const verdictOf = ({ reference, copy }: Pair, thresholds: Thresholds = THRESHOLDS): CopyVerdict =>
  judgeCopy([reference], copy, [], thresholds).verdict
