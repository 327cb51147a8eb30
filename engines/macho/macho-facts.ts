import type { CodeSignature } from './code-signature.ts'
import type { MachoNote } from './macho-note.ts'

/** A Mach-O file: one image, or several for different processors in one ('fat'). */
export interface Macho {
  readonly fat: boolean
  readonly images: readonly MachoImage[]
}

/** One image. Every offset counts from the start of the file, addresses are those of memory. */
export interface MachoImage {
  readonly offset: number
  readonly size: number
  readonly bits: 32 | 64
  /** `arm64`, `armv7`; the numbers where there is no name. */
  readonly cpu: string
  readonly fileType: number
  readonly flags: number
  readonly pie: boolean
  readonly allowStackExecution: boolean
  readonly noHeapExecution: boolean
  /** Hexadecimal. */
  readonly uuid: string | null
  readonly segments: readonly Segment[]
  readonly sections: readonly Section[]
  readonly dylibs: readonly LinkedDylib[]
  readonly rpaths: readonly { readonly path: string; readonly offset: number }[]
  /** LC_MAIN: where the program begins, as offset in the file. */
  readonly entryPoint: number | null
  readonly encryption: Encryption | null
  readonly platform: number | null
  /** `9.3.0` */
  readonly minOs: string | null
  readonly sdk: string | null
  /** Size and location as the load command says; `signature` where it can be read. */
  readonly signatureAt: { readonly offset: number; readonly size: number } | null
  readonly signature: CodeSignature | null
  readonly symbols: Symbols
  /** Ranges that load commands name, from the start of the image. */
  readonly chainedFixups: ImageRange | null
  readonly functionStarts: ImageRange | null
  readonly indirectSymbols: { readonly offset: number; readonly count: number } | null
  readonly swift: boolean
  /** Calls of the guard that compilers put behind stack buffers. */
  readonly stackCanary: boolean
  readonly arc: boolean
  readonly notes: readonly MachoNote[]
}

export interface ImageRange {
  readonly offset: number
  readonly size: number
}

export interface Segment {
  readonly name: string
  readonly address: number
  readonly size: number
  readonly offset: number
  readonly fileSize: number
  readonly maxProtection: number
  readonly protection: number
}

export interface Section {
  readonly segment: string
  readonly name: string
  readonly address: number
  readonly size: number
  /** 0 where it has no bytes in the file. */
  readonly offset: number
  readonly flags: number
  readonly reserved1: number
  readonly reserved2: number
}

export interface LinkedDylib {
  readonly name: string
  readonly kind: 'load' | 'weak' | 'reexport' | 'lazy' | 'upward' | 'id'
  readonly version: string
  readonly offset: number
}

export interface Encryption {
  readonly cryptId: number
  /** What is encrypted, in the file. */
  readonly offset: number
  readonly size: number
  /** Of the load command. */
  readonly evidence: number
}

export interface Symbols {
  /** Entries of the symbol table. */
  readonly count: number
  readonly imports: readonly { readonly name: string; readonly weak: boolean; readonly offset: number }[]
  readonly exports: readonly string[]
  /** Address -> name of what sections define, without entries for debuggers. */
  readonly defined: ReadonlyMap<number, string>
  /** Debug entries and local names of sections. */
  readonly locals: number
  /** Symbol number -> name, for the indirect table. */
  readonly names: readonly string[]
}

/** Above one of them FormatError `limit` is thrown, but of `text`: decoding stops there with a note. */
export interface MachoLimits {
  readonly images: number
  readonly commands: number
  readonly segments: number
  readonly sections: number
  readonly symbols: number
  /** Bytes of one name or string; longer ones are cut. */
  readonly name: number
}

export const MACHO_LIMITS: MachoLimits = {
  images: 32,
  commands: 20_000,
  segments: 500,
  sections: 5_000,
  symbols: 5_000_000,
  name: 16_384,
}

/** Linked library's or bundle's name of an `LC_*_DYLIB` path: `UIKit` of `/System/…/UIKit.framework/UIKit`. */
export function dylibName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
