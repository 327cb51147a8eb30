import { OPCODE_NAMES } from '../../dex/opcodes.ts'
import type { Program } from '../../dex/program.ts'
import type { CodeBody } from '../../dex-edit/code-body.ts'
import type { DexModel, MethodDefinition } from '../../dex-edit/dex-model.ts'
import type { HardenText } from '../harden-texts.ts'

/** Registers lie on the stack of the thread, and each record takes 16 bytes. */
const MOST_REGISTERS = 128
const MOST_ARGUMENT_WORDS = 32
const MOST_INSTRUCTIONS = 4000

const STATIC = 0x8
const FINAL = 0x10
const SYNCHRONIZED = 0x20 | 0x20000
const INTERFACE = 0x200

export interface Unsuitable {
  readonly text: HardenText
  readonly detail: string
}

/**
 * Methods that ask who calls them: the caller would be the class of the interpreter. Those that only read the stack of an exception to print it are not
 * among them.
 */
const ASKS_CALLER = new RegExp(
  `^(?:${[
    'Ljava/lang/Class;->(?:forName|newInstance)\\(',
    'Ljava/lang/System;->load',
    'Ljava/lang/Runtime;->load',
    'Ljava/lang/reflect/(?:Method;->invoke|Constructor;->newInstance|Field;->(?:get|set)\\w*)\\(',
    'Ljava/util/concurrent/atomic/Atomic\\w+FieldUpdater;->newUpdater\\(',
    'Ljava/lang/invoke/MethodHandles;->lookup\\(',
    'Ljava/lang/Thread;->(?:getStackTrace|getAllStackTraces|dumpStack)\\(',
    'Ljava/lang/[\\w/$]+;->(?:getStackTrace|fillInStackTrace)\\(',
    'Ljava/lang/StackWalker',
    'Ldalvik/system/VMStack;',
    'Ljava/util/ResourceBundle;->getBundle\\(',
    'Ljava/sql/DriverManager;',
    'Ljava/io/ObjectInputStream;->readObject\\(',
    'Lkotlin/jvm/internal/Intrinsics;->(?:check|throw)',
  ].join('|')})`,
)

/** Why the method keeps its code by what its declaration says, undefined where that allows more. */
export function unsuitableDeclaration(
  model: DexModel,
  { method, flags, code }: MethodDefinition,
): Unsuitable | undefined {
  const because = (text: HardenText): Unsuitable => ({ text, detail: '' })
  if (model.strings[model.methods[method]!.name]!.startsWith('<'))
    return because('a constructor or the initialiser of a class')
  if (!code) return because('native or abstract')
  if (flags & SYNCHRONIZED) return because('it locks an object')
  if (code.registers > MOST_REGISTERS || code.ins > MOST_ARGUMENT_WORDS)
    return because('it has too many registers for the interpreter')
  if (code.is === 'file' && code.size > 4 * MOST_INSTRUCTIONS) return because('it is too long for the interpreter')
  return undefined
}

/** Why the method keeps its code by what its instructions do. */
export function unsuitableCode(model: DexModel, body: CodeBody, program: Program): Unsuitable | undefined {
  const because = (text: HardenText, detail = ''): Unsuitable => ({ text, detail })
  if (body.instructions.length > MOST_INSTRUCTIONS) return because('it is too long for the interpreter')
  for (const { opcode, row, units } of body.instructions) {
    if (!units.length) continue
    const name = OPCODE_NAMES[opcode]!
    if (name === 'unused') return because('it has an instruction that Android does not know')
    if (name.startsWith('monitor-')) return because('it locks an object')
    if (/^(?:invoke-(?:polymorphic|custom)|const-method-)/.test(name))
      return because('it uses method handles or call sites')
    const found = name.startsWith('invoke-')
      ? unsuitableCall(model, name, row, program)
      : /^[is](?:get|put)/.test(name)
        ? unsuitableField(model, name, row, program)
        : undefined
    if (found) return found
  }
  return undefined
}

function unsuitableCall(model: DexModel, name: string, row: number, program: Program): Unsuitable | undefined {
  const reference = model.methodReference(row)
  const detail = shortName(reference)
  if (ASKS_CALLER.test(reference)) return { text: 'it calls {detail}, which asks who calls', detail }
  const type = reference.slice(0, reference.indexOf('->'))
  const owner = program.classOf(type)
  if (!owner) return undefined
  const kind = name.replace(/^invoke-|\/range$/g, '')
  const declares = owner.methods.some((one) => one.reference === reference)
  if (kind === 'static' && !declares)
    return { text: 'it names the static member {detail} by a class that inherits it', detail }
  if (kind === 'super' && owner.accessFlags & INTERFACE)
    return { text: 'it calls {detail} of an interface above', detail }
  if (kind === 'interface' && hasInitialiser(program, type))
    return { text: 'it calls {detail} of an interface with an initialiser', detail }
  return undefined
}

function unsuitableField(model: DexModel, name: string, row: number, program: Program): Unsuitable | undefined {
  const reference = model.fieldReference(row)
  const detail = shortName(reference)
  const owner = program.classOf(reference.slice(0, reference.indexOf('->')))
  if (!owner) return undefined
  const field = owner.fields.find((one) => one.reference === reference)
  if (name.startsWith('s') && !(field && field.accessFlags & STATIC))
    return { text: 'it names the static member {detail} by a class that inherits it', detail }
  if (name.slice(1).startsWith('put') && field && field.accessFlags & FINAL)
    return { text: 'it writes the final field {detail}', detail }
  return undefined
}

/** Whether asking for a member of the class runs code of the package. */
export function hasInitialiser(program: Program, descriptor: string): boolean {
  return program.classOf(descriptor)?.methods.some((one) => one.name === '<clinit>') ?? false
}

/** `La/B;->c(I)V` as `B.c`. */
const shortName = (reference: string): string =>
  reference.replace(/^.*?([^/;]+);->([^(:]+).*$/, (_, owner: string, name: string) => `${owner}.${name}`)
