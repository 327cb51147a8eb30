import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { classesOf } from './assemble-smali.ts'

const FOLDER = fileURLToPath(new URL('core/', import.meta.url))

interface CoreClass {
  /** `java/lang/String` */
  readonly name: string
  flags: string
  superclass: string | undefined
  /** Lines between the header and the members. */
  readonly interfaces: string[]
  /** `name:type`, each with its line. */
  readonly fields: Map<string, string>
  /** `name(I)V`, each with its lines. */
  readonly methods: Map<string, string>
  /** Numbers of methods that ART demands. */
  virtualMethods?: number
  directMethods?: number
}

/**
 * The core library as smali texts, one a class: what ART 11 demands of it (core/required-members.txt), the throwables
 * (core/throwables.txt) and the classes written by hand (core/*.smali, several in one file). A member that is demanded and not written
 * throws an UnsupportedOperationException with its name when it is called.
 *
 * Lines of required-members.txt: `class FLAGS NAME [extends NAME]`, and below it `field FLAGS NAME TYPE`, `method FLAGS NAME(TYPES)TYPE`,
 * `native`, `fast-native` and `critical-native` for methods that ART implements (the words are those of its annotations), `abstract`,
 * `polymorphic` for methods with a signature at each call, and `virtual-methods NUMBER` and
 * `direct-methods NUMBER`, which ART knows beforehand.
 */
export function coreLibrary(): string[] {
  const classes = new Map<string, CoreClass>()
  for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.smali')))
    for (const text of classesOf(read(name))) {
      const one = writtenClass(text)
      classes.set(one.name, one)
    }
  for (const line of lines('throwables.txt')) {
    const [name, superclass] = line.split(' ') as [string, string]
    classes.set(name, throwable(name, superclass))
  }
  addRequired(classes)
  const objectMethods = virtualMethodsOf(classes.get('java/lang/Object')!)
  for (const one of classes.values()) addReserved(one, objectMethods)
  return [...classes.values()].map(smaliOf)
}

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}

function lines(name: string): string[] {
  return read(name)
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
}

function emptyClass(name: string, flags: string, superclass?: string): CoreClass {
  return {
    name,
    flags,
    superclass: name === 'java/lang/Object' ? undefined : (superclass ?? 'java/lang/Object'),
    interfaces: [],
    fields: new Map(),
    methods: new Map(),
  }
}

/** A class of core/*.smali, without comments between its members. */
function writtenClass(text: string): CoreClass {
  const [, flags, name] = /^\.class (.*?) ?L([^;]+);$/m.exec(text)!
  const one = emptyClass(name!, flags!, /^\.super L([^;]+);$/m.exec(text)?.[1])
  for (const [line] of text.matchAll(/^\.implements .*$/gm)) one.interfaces.push(line)
  for (const [line, key] of text.matchAll(/^\.field .*?(\S+:\S+)$/gm)) one.fields.set(key!, line)
  for (const [whole, key] of text.matchAll(/^\.method .*?(\S+\(\S*\)\S+)$[\s\S]*?^\.end method$/gm))
    one.methods.set(key!, whole)
  return one
}

function throwable(name: string, superclass: string): CoreClass {
  const one = emptyClass(name, 'public', superclass)
  const text = 'Ljava/lang/String;'
  const cause = 'Ljava/lang/Throwable;'
  for (const types of ['', text, cause, text + cause]) {
    const registers = ['p0', ...types.split(';').slice(0, -1)].map((_, i) => `p${i}`)
    one.methods.set(
      `<init>(${types})V`,
      `.method public constructor <init>(${types})V
    .locals 0
    invoke-direct {${registers.join(', ')}}, L${superclass};-><init>(${types})V
    return-void
.end method`,
    )
  }
  return one
}

function addRequired(classes: Map<string, CoreClass>): void {
  let current: CoreClass | undefined
  for (const line of lines('required-members.txt')) {
    const words = line.trim().split(' ')
    const kind = words[0]!
    if (kind === 'class') {
      const [, flags, name, superclass] = /^class (.*?) ?(\S+?)(?: extends (\S+))?$/.exec(line)!
      current = classes.get(name!) ?? emptyClass(name!, flags!, superclass)
      classes.set(name!, current)
      if (superclass) current.superclass = superclass
    } else if (kind === 'virtual-methods') current!.virtualMethods = Number(words[1])
    else if (kind === 'direct-methods') current!.directMethods = Number(words[1])
    else if (kind === 'field') {
      const key = `${words.at(-2)}:${words.at(-1)}`
      if (!current!.fields.has(key)) current!.fields.set(key, `.field ${words.slice(1, -2).join(' ')} ${key}`)
    } else {
      const key = words.at(-1)!
      if (!current!.methods.has(key)) current!.methods.set(key, requiredMethod(current!, kind, words.slice(1, -1), key))
    }
  }
}

const ANNOTATIONS: Record<string, string> = {
  'fast-native': '.annotation build Ldalvik/annotation/optimization/FastNative;\n.end annotation\n',
  'critical-native': '.annotation build Ldalvik/annotation/optimization/CriticalNative;\n.end annotation\n',
  polymorphic: '.annotation runtime Ljava/lang/invoke/MethodHandle$PolymorphicSignature;\n.end annotation\n',
}

function requiredMethod(owner: CoreClass, kind: string, flags: string[], key: string): string {
  const all = [...flags]
  if (kind.endsWith('native')) all.push('native')
  if (kind === 'polymorphic') all.push('final', 'native', 'varargs')
  if (kind === 'abstract') all.push('abstract')
  if (key.startsWith('<init>')) all.push('constructor')
  const body =
    kind === 'method'
      ? `    .locals 2
    new-instance v0, Ljava/lang/UnsupportedOperationException;
    const-string v1, "${owner.name}.${key} is not in the core library of the tests"
    invoke-direct {v0, v1}, Ljava/lang/UnsupportedOperationException;-><init>(Ljava/lang/String;)V
    throw v0\n`
      : (ANNOTATIONS[kind] ?? '')
  return `.method ${all.join(' ')} ${key}\n${body}.end method`
}

/** Keys of the methods that take an entry in the method table of a class. */
function virtualMethodsOf(one: CoreClass): Set<string> {
  return new Set(
    [...one.methods]
      .filter(([, text]) => !/^\.method [^\n]*\b(static|private|constructor)\b/.test(text))
      .map(([key]) => key),
  )
}

/** Methods that are never called, up to the numbers that ART demands. */
function addReserved(one: CoreClass, inherited: ReadonlySet<string>): void {
  const virtual = virtualMethodsOf(one)
  const entries = [...virtual].filter((key) => !inherited.has(key)).length
  const demands = [
    { has: entries, wants: one.virtualMethods, flags: ['public'] },
    { has: one.methods.size - virtual.size, wants: one.directMethods, flags: ['private', 'static'] },
  ]
  for (const { has, wants, flags } of demands) {
    if (wants === undefined) continue
    if (has > wants) throw new Error(`${one.name} has ${has} ${flags.join(' ')} methods, ART wants ${wants}`)
    for (let i = has; i < wants; i++) {
      const key = `reserved${i}()V`
      one.methods.set(key, requiredMethod(one, 'method', flags, key))
    }
  }
}

function smaliOf(one: CoreClass): string {
  return `${[
    `.class ${one.flags} L${one.name};`,
    ...(one.superclass ? [`.super L${one.superclass};`] : []),
    ...one.interfaces,
    ...one.fields.values(),
    ...one.methods.values(),
  ].join('\n')}\n`
}
