const NAMES =
  'nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 ' +
  'bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 ' +
  'fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload istore ' +
  'lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 ' +
  'dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup ' +
  'dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ' +
  'ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s ' +
  'lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto ' +
  'jsr ret tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual ' +
  'invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof monitorenter monitorexit ' +
  'wide multianewarray ifnull ifnonnull goto_w jsr_w'
/** Names of the instructions by opcode. */
export const JVM_NAMES: readonly string[] = NAMES.split(' ')

/** Bytes of an instruction by opcode; 0 where it must be worked out. */
const SIZES = new Uint8Array(256).fill(1)
for (const [size, from, to] of [
  [2, 0x10, 0x10],
  [3, 0x11, 0x11],
  [2, 0x12, 0x12],
  [3, 0x13, 0x14],
  [2, 0x15, 0x19],
  [2, 0x36, 0x3a],
  [3, 0x84, 0x84],
  [3, 0x99, 0xa8],
  [2, 0xa9, 0xa9],
  [0, 0xaa, 0xab],
  [3, 0xb2, 0xb8],
  [5, 0xb9, 0xba],
  [3, 0xbb, 0xbb],
  [2, 0xbc, 0xbc],
  [3, 0xbd, 0xbd],
  [3, 0xc0, 0xc1],
  [0, 0xc4, 0xc4],
  [4, 0xc5, 0xc5],
  [3, 0xc6, 0xc7],
  [5, 0xc8, 0xc9],
] as const)
  SIZES.fill(size, from, to + 1)

/** Stack words that plain instructions take and give, by name: `i` and `a` one, `l` and `d` two. */
const TAKES = new Uint8Array(256)
const GIVES = new Uint8Array(256)
const effect = (from: number, to: number, takes: number, gives: number) => {
  TAKES.fill(takes, from, to + 1)
  GIVES.fill(gives, from, to + 1)
}
effect(0x2e, 0x35, 2, 1)
effect(0x4f, 0x56, 3, 0)
effect(0x60, 0x73, 2, 1)
effect(0x74, 0x77, 1, 1)
effect(0x78, 0x7d, 2, 1)
effect(0x7e, 0x83, 2, 1)
effect(0x91, 0x93, 1, 1)
effect(0x99, 0x9e, 1, 0)
effect(0x9f, 0xa6, 2, 0)
effect(0xa8, 0xa8, 0, 1)
effect(0xaa, 0xac, 1, 0)
effect(0xb0, 0xb0, 1, 0)
effect(0xbd, 0xbe, 1, 1)
effect(0xbf, 0xbf, 1, 0)
effect(0xc1, 0xc1, 1, 1)
effect(0xc2, 0xc3, 1, 0)
effect(0xc6, 0xc7, 1, 0)
effect(0xc9, 0xc9, 0, 1)
for (const opcode of [0x2f, 0x31]) effect(opcode, opcode, 2, 2)
for (const opcode of [0x50, 0x52]) effect(opcode, opcode, 4, 0)
for (let opcode = 0x61; opcode <= 0x73; opcode += 2) effect(opcode, opcode, 4, 2)
for (const opcode of [0x75, 0x77]) effect(opcode, opcode, 2, 2)
for (const opcode of [0x79, 0x7b, 0x7d]) effect(opcode, opcode, 3, 2)
for (const opcode of [0x7f, 0x81, 0x83]) effect(opcode, opcode, 4, 2)
for (const [opcode, takes, gives] of [
  [0x85, 1, 2],
  [0x86, 1, 1],
  [0x87, 1, 2],
  [0x88, 2, 1],
  [0x89, 2, 1],
  [0x8a, 2, 2],
  [0x8b, 1, 1],
  [0x8c, 1, 2],
  [0x8d, 1, 2],
  [0x8e, 2, 1],
  [0x8f, 2, 2],
  [0x90, 2, 1],
  [0x94, 4, 1],
  [0x95, 2, 1],
  [0x96, 2, 1],
  [0x97, 4, 1],
  [0x98, 4, 1],
  [0xad, 2, 0],
  [0xae, 1, 0],
  [0xaf, 2, 0],
] as const)
  effect(opcode, opcode, takes, gives)

export const stackEffect = (opcode: number): readonly [takes: number, gives: number] => [TAKES[opcode]!, GIVES[opcode]!]

/** Bytes of the instruction at `at` of a method whose code begins at `code`; at least 1. */
export function instructionSize(bytes: Uint8Array, at: number, code: number): number {
  const opcode = bytes[at]!
  if (SIZES[opcode]) return SIZES[opcode]
  if (opcode === 0xc4) return bytes[at + 1] === 0x84 ? 6 : 4
  const table = at + 4 - ((at - code) % 4)
  if (opcode === 0xab) return table - at + 8 + 8 * Math.max(0, int(bytes, table + 4))
  return table - at + 12 + 4 * Math.max(0, int(bytes, table + 8) - int(bytes, table + 4) + 1)
}

/** Where a branch may lead, as offsets like `at`; empty for everything else. */
export function jumpTargets(bytes: Uint8Array, at: number, code: number): number[] {
  const opcode = bytes[at]!
  if ((opcode >= 0x99 && opcode <= 0xa8) || opcode === 0xc6 || opcode === 0xc7)
    return [at + ((((bytes[at + 1]! << 8) | bytes[at + 2]!) << 16) >> 16)]
  if (opcode === 0xc8 || opcode === 0xc9) return [at + int(bytes, at + 1)]
  if (opcode !== 0xaa && opcode !== 0xab) return []
  const table = at + 4 - ((at - code) % 4)
  const targets = [at + int(bytes, table)]
  const end = at + instructionSize(bytes, at, code)
  const [from, step] = opcode === 0xaa ? [table + 12, 4] : [table + 12, 8]
  for (let row = from; row < end && row + 4 <= bytes.length; row += step) targets.push(at + int(bytes, row))
  return targets
}

/** Does code go on behind it? */
export const fallsThrough = (opcode: number): boolean =>
  !(opcode === 0xa7 || opcode === 0xc8 || (opcode >= 0xa9 && opcode <= 0xb1) || opcode === 0xbf)

const int = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
