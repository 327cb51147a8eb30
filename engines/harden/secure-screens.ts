import type { Program } from '../dex/program.ts'
import { instruction } from '../dex-edit/code-body.ts'
import type { ClassDefinition, DexModel } from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import { classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenText } from './harden-texts.ts'
import type { HardenLog } from './hardening.ts'
import { helperClass } from './text-decoder.ts'

const ACTIVITY = 'Landroid/app/Activity;'
const WINDOW = 'Landroid/view/Window;'
const CREATE = 'onCreate(Landroid/os/Bundle;)V'
const FLAG_SECURE = 0x2000
const FINAL = 0x10

/** The class whose method sets FLAG_SECURE on the window of an activity. */
export function addScreenGuard(model: DexModel, descriptor: string): void {
  const method = model.method(`${descriptor}->a(${ACTIVITY})V`)
  const end = instruction([0x0e])
  const whenNone = Object.assign(instruction([0x0038, 0]), { target: end })
  const instructions = [
    instruction([0x106e, 0, 2], model.method(`${ACTIVITY}->getWindow()${WINDOW}`)),
    instruction([0x000c]),
    whenNone,
    instruction([0x0113, FLAG_SECURE]),
    instruction([0x206e, 0, 0x10], model.method(`${WINDOW}->addFlags(I)V`)),
    end,
    instruction([]),
  ]
  model.classes.push(helperClass(model, descriptor, method, instructions, { registers: 3, ins: 1, outs: 2 }))
}

/**
 * Which classes get the call: for each activity the class itself, or the class that it inherits a final onCreate from.
 * Activities without such a class are reported.
 */
export function screensToSecure(
  activities: readonly string[],
  program: Program,
  mayChange: (descriptor: string) => boolean,
  log: HardenLog,
  manifest: string,
): ReadonlySet<string> {
  const chosen = new Set<string>()
  for (const descriptor of activities) {
    const skip = (reason: HardenText, file = manifest, detail = '') =>
      log.skipped('screenshot_prevention', file, classNameOf(descriptor), reason, 1, detail)
    const found = program.classOf(descriptor)
    if (!found) skip('the package has no such class')
    else if (!mayChange(descriptor)) skip('a class of a known library, or kept by a rule', found.entry)
    else {
      const final = finalAncestor(program, descriptor)
      if (!final) chosen.add(descriptor)
      else if (mayChange(final)) chosen.add(final)
      else skip('inherits a final onCreate of {detail}', found.entry, classNameOf(final))
    }
  }
  return chosen
}

/** The nearest class above, that defines onCreate, where it is final there. */
function finalAncestor(program: Program, descriptor: string): string | undefined {
  let found = program.classOf(descriptor)
  if (found?.methods.some(({ reference }) => reference.endsWith(`->${CREATE}`))) return undefined
  for (let depth = 0; found && depth < 100; depth++) {
    const create = found.methods.find(({ reference }) => reference.endsWith(`->${CREATE}`))
    if (create) return create.accessFlags & FINAL ? found.descriptor : undefined
    found = found.superclass === null ? undefined : program.classOf(found.superclass)
  }
  return undefined
}

/** Puts a call of the guard at the start of onCreate of the classes, which gets one where a class has none. */
export function secureScreens(
  { file, model, classes }: EditedDex,
  chosen: ReadonlySet<string>,
  guard: string,
  log: HardenLog,
): void {
  for (const one of classes) {
    const descriptor = model.descriptor(one.type)
    if (!chosen.has(descriptor)) continue
    const place = classNameOf(descriptor)
    const guardMethod = model.method(`${guard}->a(${ACTIVITY})V`)
    const create = model.method(`${descriptor}->${CREATE}`)
    const found = one.virtualMethods.find(({ method }) => method === create)
    if (!found) {
      addCreate(model, one, create, guardMethod)
      log.applied('screenshot_prevention', file, place, 'onCreate added, which sets FLAG_SECURE')
      continue
    }
    const body = editCode(model, found)
    if (!body) {
      log.skipped('screenshot_prevention', file, place, 'its onCreate has no code')
      continue
    }
    const self = body.registers - body.ins
    body.instructions.unshift(instruction([0x0177, 0, self], guardMethod))
    body.outs = Math.max(body.outs, 1)
    log.applied('screenshot_prevention', file, place, 'onCreate sets FLAG_SECURE')
  }
}

function addCreate(model: DexModel, one: ClassDefinition, create: number, guard: number): void {
  const above = model.method(`${model.descriptor(one.superclass)}->${CREATE}`)
  one.virtualMethods.push({
    method: create,
    // public: it may take the place of a public one
    flags: 0x1,
    code: {
      is: 'body',
      ...{ registers: 2, ins: 2, outs: 2, tries: [], debug: undefined, detail: 'none' },
      instructions: [
        instruction([0x0177, 0, 0], guard),
        instruction([0x206f, 0, 0x10], above),
        instruction([0x0e]),
        instruction([]),
      ],
    },
  })
}
