/**
 * The instruction set of Dalvik by opcode: name and format ('Dalvik bytecode', 'Dalvik executable instruction formats'). A format begins with
 * its length in 16-bit code units.
 */
const TABLE =
  '00 nop 10x;01 move 12x;02 move/from16 22x;03 move/16 32x;04 move-wide 12x;05 move-wide/from16 22x;06 move-wide/16 32x;' +
  '07 move-object 12x;08 move-object/from16 22x;09 move-object/16 32x;0a move-result 11x;0b move-result-wide 11x;0c move-result-object 11x;' +
  '0d move-exception 11x;0e return-void 10x;0f return 11x;10 return-wide 11x;11 return-object 11x;12 const/4 11n;13 const/16 21s;' +
  '14 const 31i;15 const/high16 21h;16 const-wide/16 21s;17 const-wide/32 31i;18 const-wide 51l;19 const-wide/high16 21h;' +
  '1a const-string 21c;1b const-string/jumbo 31c;1c const-class 21c;1d monitor-enter 11x;1e monitor-exit 11x;1f check-cast 21c;' +
  '20 instance-of 22c;21 array-length 12x;22 new-instance 21c;23 new-array 22c;24 filled-new-array 35c;25 filled-new-array/range 3rc;' +
  '26 fill-array-data 31t;27 throw 11x;28 goto 10t;29 goto/16 20t;2a goto/32 30t;2b packed-switch 31t;2c sparse-switch 31t;' +
  '2d cmpl-float 23x;2e cmpg-float 23x;2f cmpl-double 23x;30 cmpg-double 23x;31 cmp-long 23x;32 if-eq 22t;33 if-ne 22t;34 if-lt 22t;' +
  '35 if-ge 22t;36 if-gt 22t;37 if-le 22t;38 if-eqz 21t;39 if-nez 21t;3a if-ltz 21t;3b if-gez 21t;3c if-gtz 21t;3d if-lez 21t;' +
  '44 aget 23x;45 aget-wide 23x;46 aget-object 23x;47 aget-boolean 23x;48 aget-byte 23x;49 aget-char 23x;4a aget-short 23x;' +
  '4b aput 23x;4c aput-wide 23x;4d aput-object 23x;4e aput-boolean 23x;4f aput-byte 23x;50 aput-char 23x;51 aput-short 23x;' +
  '52 iget 22c;53 iget-wide 22c;54 iget-object 22c;55 iget-boolean 22c;56 iget-byte 22c;57 iget-char 22c;58 iget-short 22c;' +
  '59 iput 22c;5a iput-wide 22c;5b iput-object 22c;5c iput-boolean 22c;5d iput-byte 22c;5e iput-char 22c;5f iput-short 22c;' +
  '60 sget 21c;61 sget-wide 21c;62 sget-object 21c;63 sget-boolean 21c;64 sget-byte 21c;65 sget-char 21c;66 sget-short 21c;' +
  '67 sput 21c;68 sput-wide 21c;69 sput-object 21c;6a sput-boolean 21c;6b sput-byte 21c;6c sput-char 21c;6d sput-short 21c;' +
  '6e invoke-virtual 35c;6f invoke-super 35c;70 invoke-direct 35c;71 invoke-static 35c;72 invoke-interface 35c;' +
  '74 invoke-virtual/range 3rc;75 invoke-super/range 3rc;76 invoke-direct/range 3rc;77 invoke-static/range 3rc;78 invoke-interface/range 3rc;' +
  '7b neg-int 12x;7c not-int 12x;7d neg-long 12x;7e not-long 12x;7f neg-float 12x;80 neg-double 12x;81 int-to-long 12x;' +
  '82 int-to-float 12x;83 int-to-double 12x;84 long-to-int 12x;85 long-to-float 12x;86 long-to-double 12x;87 float-to-int 12x;' +
  '88 float-to-long 12x;89 float-to-double 12x;8a double-to-int 12x;8b double-to-long 12x;8c double-to-float 12x;8d int-to-byte 12x;' +
  '8e int-to-char 12x;8f int-to-short 12x;90 add-int 23x;91 sub-int 23x;92 mul-int 23x;93 div-int 23x;94 rem-int 23x;95 and-int 23x;' +
  '96 or-int 23x;97 xor-int 23x;98 shl-int 23x;99 shr-int 23x;9a ushr-int 23x;9b add-long 23x;9c sub-long 23x;9d mul-long 23x;' +
  '9e div-long 23x;9f rem-long 23x;a0 and-long 23x;a1 or-long 23x;a2 xor-long 23x;a3 shl-long 23x;a4 shr-long 23x;a5 ushr-long 23x;' +
  'a6 add-float 23x;a7 sub-float 23x;a8 mul-float 23x;a9 div-float 23x;aa rem-float 23x;ab add-double 23x;ac sub-double 23x;' +
  'ad mul-double 23x;ae div-double 23x;af rem-double 23x;b0 add-int/2addr 12x;b1 sub-int/2addr 12x;b2 mul-int/2addr 12x;' +
  'b3 div-int/2addr 12x;b4 rem-int/2addr 12x;b5 and-int/2addr 12x;b6 or-int/2addr 12x;b7 xor-int/2addr 12x;b8 shl-int/2addr 12x;' +
  'b9 shr-int/2addr 12x;ba ushr-int/2addr 12x;bb add-long/2addr 12x;bc sub-long/2addr 12x;bd mul-long/2addr 12x;be div-long/2addr 12x;' +
  'bf rem-long/2addr 12x;c0 and-long/2addr 12x;c1 or-long/2addr 12x;c2 xor-long/2addr 12x;c3 shl-long/2addr 12x;c4 shr-long/2addr 12x;' +
  'c5 ushr-long/2addr 12x;c6 add-float/2addr 12x;c7 sub-float/2addr 12x;c8 mul-float/2addr 12x;c9 div-float/2addr 12x;' +
  'ca rem-float/2addr 12x;cb add-double/2addr 12x;cc sub-double/2addr 12x;cd mul-double/2addr 12x;ce div-double/2addr 12x;' +
  'cf rem-double/2addr 12x;d0 add-int/lit16 22s;d1 rsub-int 22s;d2 mul-int/lit16 22s;d3 div-int/lit16 22s;d4 rem-int/lit16 22s;' +
  'd5 and-int/lit16 22s;d6 or-int/lit16 22s;d7 xor-int/lit16 22s;d8 add-int/lit8 22b;d9 rsub-int/lit8 22b;da mul-int/lit8 22b;' +
  'db div-int/lit8 22b;dc rem-int/lit8 22b;dd and-int/lit8 22b;de or-int/lit8 22b;df xor-int/lit8 22b;e0 shl-int/lit8 22b;' +
  'e1 shr-int/lit8 22b;e2 ushr-int/lit8 22b;fa invoke-polymorphic 45cc;fb invoke-polymorphic/range 4rcc;fc invoke-custom 35c;' +
  'fd invoke-custom/range 3rc;fe const-method-handle 21c;ff const-method-type 21c'

/** What an instruction names, as far as the index keeps it. */
export const PLAIN = 0
export const PAYLOAD = 1
export const STRING = 2
export const JUMBO = 3
export const TYPE = 4
export const FIELD = 5
export const CALL = 6
export const UNUSED = 7

/** By opcode. Opcodes that are not in use count as one code unit, as Android counts them before it refuses the method. */
export const OPCODE_NAMES: string[] = Array<string>(256).fill('unused')
export const OPCODE_FORMATS: string[] = Array<string>(256).fill('10x')
/** Bytes of an instruction. */
export const OPCODE_SIZES = new Uint8Array(256).fill(2)
export const OPCODE_KINDS = new Uint8Array(256).fill(UNUSED)

for (const row of TABLE.split(';')) {
  const [hex, name, format] = row.split(' ') as [string, string, string]
  const opcode = Number.parseInt(hex, 16)
  OPCODE_NAMES[opcode] = name
  OPCODE_FORMATS[opcode] = format
  OPCODE_SIZES[opcode] = 2 * Number(format[0])
  OPCODE_KINDS[opcode] = kindOf(name)
}

function kindOf(name: string): number {
  if (name === 'nop') return PAYLOAD
  if (name === 'const-string') return STRING
  if (name === 'const-string/jumbo') return JUMBO
  if (/^(const-class|check-cast|instance-of|new-instance)$/.test(name)) return TYPE
  if (/^[is](get|put)/.test(name)) return FIELD
  if (/^invoke-(?!custom)/.test(name)) return CALL
  return PLAIN
}

/** Bytes of the switch or array table that begins at `at` (a `nop` with a number above 0), or 2 for a real `nop`. */
export function payloadSize(bytes: Uint8Array, at: number): number {
  const ident = bytes[at + 1]
  const count = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8)
  if (ident === 1) return 8 + 4 * count
  if (ident === 2) return 4 + 8 * count
  if (ident !== 3) return 2
  const length =
    ((bytes[at + 4] ?? 0) | ((bytes[at + 5] ?? 0) << 8) | ((bytes[at + 6] ?? 0) << 16)) + (bytes[at + 7] ?? 0) * 2 ** 24
  return 8 + 2 * Math.ceil((count * length) / 2)
}

const CALL_KINDS = ['virtual', 'super', 'direct', 'static', 'interface'] as const

/** How an invoke instruction chooses its method. */
export function callKind(opcode: number): (typeof CALL_KINDS)[number] | 'polymorphic' {
  if (opcode >= 0xfa) return 'polymorphic'
  return CALL_KINDS[opcode - (opcode >= 0x74 ? 0x74 : 0x6e)] ?? 'virtual'
}

/** Field instructions that write. */
export const writesField = (opcode: number): boolean => (opcode >= 0x59 && opcode <= 0x5f) || opcode >= 0x67
