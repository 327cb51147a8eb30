import { type DexModel, methodsOf } from '#engines/dex-edit/dex-model.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'

const [PUBLIC, STATIC, ABSTRACT] = [0x1, 0x8, 0x400]
const HELPER = 'Lprograms/StaticCalls;'
/** Values of parameters by the letter of their type: a call of each row of them. Objects other than texts are null. */
const NUMBERS = [3, 0, -7, 48, 1000]
const TEXTS = ['text', '', 'Aa: 1.2_3', '-42', 'http://a.example/b?c=d']

export interface StaticCalls {
  /** Classes in smali, the helper first. */
  readonly classes: readonly string[]
  /** Main classes by the class whose methods they call. */
  readonly programs: ReadonlyMap<string, string>
  readonly calls: number
}

/**
 * Programs that call the public static methods of public classes that others wrote, and print what each gives, or the class of what it throws: they say the
 * same of code that was changed, as far as it does without Android. `isWanted`: by class and method, `a.B.c`.
 */
export function staticCalls(
  dexFiles: readonly Uint8Array[],
  isWanted: (name: string) => boolean = () => true,
): StaticCalls {
  const classes = [HELPER_TEXT]
  const programs = new Map<string, string>()
  let calls = 0
  for (const model of dexFiles.flatMap((bytes) => readDexModels(bytes)))
    for (const one of model.classes) {
      const descriptor = model.descriptor(one.type)
      const place = descriptor.slice(1, -1).replaceAll('/', '.')
      if (!(one.flags & PUBLIC) || place.startsWith('programs.')) continue
      const bodies = methodsOf(one)
        .filter(({ flags, code }) => (flags & (PUBLIC | STATIC | ABSTRACT)) === (PUBLIC | STATIC) && code)
        .map(({ method }) => method)
        .filter((row) => isWanted(`${place}.${model.strings[model.methods[row]!.name]!}`))
        .flatMap((row) => callsOf(model, row))
      if (!bodies.length) continue
      calls += bodies.length
      const name = `programs/Calls${programs.size}`
      programs.set(place, name.replace('/', '.'))
      classes.push(programText(name, bodies))
    }
  return { classes, programs, calls }
}

/** Bodies of methods without parameters, one for each row of values. */
function callsOf(model: DexModel, row: number): string[] {
  const { parameters, returnType } = model.protos[model.methods[row]!.proto]!
  const types = parameters.map((type) => model.descriptor(type))
  const rows = types.some((type) => /^(?:[BCDFIJSZ]|Ljava\/lang\/(?:String|CharSequence);)$/.test(type))
    ? NUMBERS.length
    : 1
  return Array.from({ length: rows }, (_, turn) =>
    bodyOf(model.methodReference(row), types, model.descriptor(returnType), turn),
  )
}

function bodyOf(reference: string, types: readonly string[], result: string, turn: number): string {
  const lines: string[] = []
  let register = 0
  for (const [i, type] of types.entries()) {
    const value = NUMBERS[(turn + i) % NUMBERS.length]!
    if (type === 'J' || type === 'D') {
      lines.push(`const-wide v${register}, ${type === 'J' ? value : `${value}.5`}`)
      register += 2
      continue
    }
    const text = /^Ljava\/lang\/(?:String|CharSequence);$/.test(type)
    if (text) lines.push(`const-string v${register}, ${JSON.stringify(TEXTS[(turn + i) % TEXTS.length])}`)
    else lines.push(`const v${register}, ${numberOf(type, value)}`)
    register++
  }
  const words = register ? `v0 .. v${register - 1}` : ''
  lines.push(`invoke-static/range {${words}}, ${reference}`, ...printed(result))
  return `.locals ${Math.max(register, 2)}
    :start
    ${lines.join('\n    ')}
    :end
    .catchall {:start .. :end} :caught
    return-void
    :caught
    move-exception v0
    invoke-static {v0}, ${HELPER}->thrown(Ljava/lang/Throwable;)V
    return-void`
}

function numberOf(type: string, value: number): string {
  if (type === 'Z') return String(value & 1)
  if (type === 'F') return `${value}.25f`
  if (type === 'C') return String(Math.abs(value))
  if (type === 'B') return String((value << 24) >> 24)
  return type === 'S' || type === 'I' ? String(value) : '0'
}

function printed(result: string): string[] {
  const say = (registers: string, type: string) => `invoke-static {${registers}}, ${HELPER}->say(${type})V`
  if (result === 'V') return ['const/4 v0, 0', say('v0', 'Ljava/lang/Object;')]
  if (result === 'J') return ['move-result-wide v0', say('v0, v1', 'J')]
  if (result === 'D')
    return [
      ...[
        'move-result-wide v0',
        'invoke-static {v0, v1}, Ljava/lang/Double;->doubleToLongBits(D)J',
        'move-result-wide v0',
      ],
      say('v0, v1', 'J'),
    ]
  if (result === 'F')
    return [
      ...['move-result v0', 'invoke-static {v0}, Ljava/lang/Float;->floatToIntBits(F)I', 'move-result v0'],
      ...['int-to-long v0, v0', say('v0, v1', 'J')],
    ]
  if (/^[BCISZ]$/.test(result)) return ['move-result v0', 'int-to-long v0, v0', say('v0, v1', 'J')]
  return ['move-result-object v0', say('v0', 'Ljava/lang/Object;')]
}

function programText(name: string, bodies: readonly string[]): string {
  const methods = bodies.map((body, i) => `.method static call${i}()V\n    ${body}\n.end method`)
  const calls = bodies.map((_, i) => `invoke-static {}, L${name};->call${i}()V`)
  return `.class public L${name};
.super Ljava/lang/Object;
${methods.join('\n')}
.method public static main([Ljava/lang/String;)V
    .locals 0
    ${calls.join('\n    ')}
    return-void
.end method
`
}

/** Texts are printed as they are, of other objects their class; messages of exceptions are not the same in both (docs/hardening.md). */
const HELPER_TEXT = `.class public ${HELPER}
.super Ljava/lang/Object;
.method static line(Ljava/lang/String;)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
.method public static say(J)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0, p1}, Ljava/io/PrintStream;->println(J)V
    return-void
.end method
.method public static say(Ljava/lang/Object;)V
    .locals 1
    if-nez p0, :something
    const-string v0, "null"
    goto :line
    :something
    instance-of v0, p0, Ljava/lang/String;
    if-eqz v0, :other
    move-object v0, p0
    check-cast v0, Ljava/lang/String;
    goto :line
    :other
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    :line
    invoke-static {v0}, ${HELPER}->line(Ljava/lang/String;)V
    return-void
.end method
.method public static thrown(Ljava/lang/Throwable;)V
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, ${HELPER}->line(Ljava/lang/String;)V
    return-void
.end method
`
