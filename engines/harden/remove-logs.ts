import { OPCODE_FORMATS, OPCODE_NAMES } from '../dex/opcodes.ts'
import { type CodeBody, type Instruction, replaceInstruction } from '../dex-edit/code-body.ts'
import { ROW } from '../dex-edit/instruction-rows.ts'
import { bodiesNaming, classNameOf, type EditedDex, jumpTargets } from './edited-dex.ts'
import type { HardenLog } from './hardening.ts'

/** Levels of android.util.Log, and `println` for its method of that name and for System.out and System.err. */
export type LogLevel = 'v' | 'd' | 'i' | 'w' | 'e' | 'println'

const LOG = 'Landroid/util/Log;'
const STREAM = 'Ljava/io/PrintStream;'
const STREAMS = ['Ljava/lang/System;->out:Ljava/io/PrintStream;', 'Ljava/lang/System;->err:Ljava/io/PrintStream;']
/** What these take is text already: printing an object calls its method toString, which may do more than print. */
const TEXTS = /\((?:|[ZCIJFD]|\[C|Ljava\/lang\/String;)\)V$/

/**
 * Removes calls of android.util.Log of some levels, and of `print` and `println` on System.out and System.err. Their arguments are still
 * computed. The number that a call of Log gives becomes 0.
 */
export function removeLogs({ file, model, classes }: EditedDex, levels: ReadonlySet<LogLevel>, log: HardenLog): void {
  const calls = new Set<number>()
  const prints = new Set<number>()
  model.methods.forEach(({ owner, name }, row) => {
    const [descriptor, method] = [model.descriptor(owner), model.strings[name]!]
    if (descriptor === LOG && levels.has(method as LogLevel)) calls.add(row)
    if (descriptor === STREAM && levels.has('println') && /^print(ln)?$/.test(method)) prints.add(row)
  })
  const streams = new Set<number>()
  model.fields.forEach((_, row) => {
    if (STREAMS.includes(model.fieldReference(row))) streams.add(row)
  })
  const wanted = new Set([...calls, ...prints])
  if (!wanted.size) return
  for (const one of classes) {
    const place = classNameOf(model.descriptor(one.type))
    let removed = 0
    let objects = 0
    let others = 0
    for (const { body } of bodiesNaming(model, one, [ROW.method], wanted)) {
      const gone = new Set<Instruction>()
      const targets = jumpTargets(body)
      body.instructions.forEach((call, i) => {
        if (!OPCODE_NAMES[call.opcode]?.startsWith('invoke-')) return
        if (calls.has(call.row)) gone.add(call)
        else if (prints.has(call.row)) {
          if (!isOnStream(body, i, targets, streams)) others++
          else if (!TEXTS.test(model.methodReference(call.row))) objects++
          else gone.add(call)
        }
      })
      removed += gone.size
      takeOut(body, gone, targets)
    }
    log.applied('log_removal', file, place, 'log calls removed', removed)
    log.skipped('log_removal', file, place, 'prints an object, whose toString may do more than print', objects)
    log.skipped('log_removal', file, place, 'prints to a stream that may be another than System.out', others)
  }
}

/** Whether the receiver of a call was read from one of the fields just before, without a jump between. */
function isOnStream(
  { instructions }: CodeBody,
  at: number,
  targets: ReadonlySet<Instruction>,
  streams: ReadonlySet<number>,
): boolean {
  const register = receiverOf(instructions[at]!)
  for (let i = at; i > 0; i--) {
    if (targets.has(instructions[i]!)) return false
    const before = instructions[i - 1]!
    if (before.target || before.table || /^(goto|return|throw)/.test(OPCODE_NAMES[before.opcode] ?? '')) return false
    if (!writes(before, register)) continue
    return OPCODE_NAMES[before.opcode] === 'sget-object' && streams.has(before.row)
  }
  return false
}

/** First register of an invoke instruction. */
function receiverOf({ opcode, units }: Instruction): number {
  return OPCODE_FORMATS[opcode] === '35c' ? units[2]! & 0xf : units[2]!
}

const WRITES_NONE =
  /^(nop|invoke|filled-new-array|if-|goto|return|throw|iput|sput|aput|monitor|packed-switch|sparse-switch|fill-array|check-cast)/

function writes({ opcode, units }: Instruction, register: number): boolean {
  const name = OPCODE_NAMES[opcode] ?? 'nop'
  if (WRITES_NONE.test(name)) return false
  const format = OPCODE_FORMATS[opcode]!
  const first =
    format === '32x' ? units[1]! : /^(12x|22c|22s|11n)$/.test(format) ? (units[0]! >> 8) & 0xf : units[0]! >> 8
  // The second half of a wide value counts, whether the instruction has one or not.
  return register === first || register === first + 1
}

/** Takes calls out; what leads to one leads to the instruction behind it. */
function takeOut(body: CodeBody, gone: ReadonlySet<Instruction>, targets: ReadonlySet<Instruction>): void {
  if (!gone.size) return
  const places = new Set(targets)
  for (const { from, to } of body.tries) places.add(from).add(to)
  const { instructions } = body
  instructions.forEach((call, i) => {
    if (!gone.has(call)) return
    const next = instructions[i + 1]!
    if (OPCODE_NAMES[next.opcode] === 'move-result') replaceInstruction(next, [0x13 | (next.units[0]! & 0xff00), 0])
    replaceInstruction(call, [0])
  })
  const moved = new Map<Instruction, Instruction>()
  let behind = instructions.at(-1)!
  for (const one of [...instructions].reverse()) {
    if (gone.has(one)) moved.set(one, behind)
    else behind = one
  }
  if (body.debug)
    body.debug = {
      ...body.debug,
      events: body.debug.events.map((event) => ({ ...event, at: moved.get(event.at) ?? event.at })),
    }
  body.instructions = instructions.filter((one) => !gone.has(one) || places.has(one))
}
