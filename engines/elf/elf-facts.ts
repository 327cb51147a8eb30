/** Something odd about an ELF file; what it hides is missing from the facts. */
export interface ElfNote {
  readonly key: 'program-headers' | 'sections' | 'dynamic' | 'symbols' | 'text' | 'string-table' | 'notes'
  readonly offset: number
  readonly detail: string
}

/** A value with the location of the bytes that say so; the offset is -1 where the absence of something says it. */
export interface Evident<T> {
  readonly value: T
  readonly offset: number
}

export interface ElfSymbol {
  readonly name: string
  readonly kind: 'function' | 'object' | 'tls' | 'other'
  readonly weak: boolean
  /** Of the symbol in the symbol table. */
  readonly offset: number
}

export interface ElfSegment {
  readonly type: number
  readonly flags: number
  readonly fileOffset: number
  readonly fileSize: number
  readonly address: number
  readonly memorySize: number
  /** Of its program header. */
  readonly offset: number
}

export interface ElfSection {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly address: number
  readonly fileOffset: number
  readonly size: number
  readonly link: number
}

/** What a native library or program says of itself and of its protections. */
export interface ElfFacts {
  readonly bits: 32 | 64
  readonly littleEndian: boolean
  readonly type: 'relocatable' | 'executable' | 'shared' | 'core' | 'other'
  /** `arm`, `aarch64`, `x86`, `x86_64`, `mips`, `riscv`, or the number. */
  readonly machine: string
  /** Android's word for it; null where it has none. */
  readonly abi: string | null
  readonly segments: readonly ElfSegment[]
  /** Empty where they are stripped or cannot be right. */
  readonly sections: readonly ElfSection[]
  readonly soname: Evident<string> | null
  readonly needed: readonly Evident<string>[]
  readonly rpath: Evident<string> | null
  readonly runpath: Evident<string> | null
  readonly interpreter: Evident<string> | null
  /** Null of a library, which is position-independent by nature. */
  readonly pie: Evident<boolean> | null
  readonly relro: Evident<'none' | 'partial' | 'full'>
  readonly bindNow: Evident<boolean>
  /** False also where GNU_STACK is missing: then the platform may map the stack executable. */
  readonly noExecutableStack: Evident<boolean>
  readonly stackCanary: Evident<boolean>
  /** Checked variants in use (`__memcpy_chk`), and functions in use that have one and are called plainly. */
  readonly fortify: { readonly checked: readonly ElfSymbol[]; readonly plain: readonly ElfSymbol[] }
  /** No `.symtab`. */
  readonly stripped: boolean
  readonly textRelocations: Evident<boolean>
  /** Segments that may be written and executed. */
  readonly writableCode: readonly ElfSegment[]
  readonly buildId: Evident<string> | null
  readonly imports: readonly ElfSymbol[]
  readonly exports: readonly ElfSymbol[]
  readonly notes: readonly ElfNote[]
}

export interface ElfLimits {
  readonly segments: number
  readonly sections: number
  readonly symbols: number
  readonly needed: number
  readonly nameLength: number
}

export const ELF_LIMITS: ElfLimits = {
  segments: 1000,
  sections: 20_000,
  symbols: 1_000_000,
  needed: 1000,
  nameLength: 16_384,
}
