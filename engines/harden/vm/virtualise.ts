import type { Program } from '../../dex/program.ts'
import { type ClassDefinition, type DexModel, methodsOf } from '../../dex-edit/dex-model.ts'
import { liftCode } from '../../dex-edit/edit-code.ts'
import { packCode } from '../../dex-edit/pack-code.ts'
import { classNameOf } from '../edited-dex.ts'
import type { HardenLog } from '../hardening.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { hasInitialiser, unsuitableCode, unsuitableDeclaration } from './eligible-methods.ts'
import { translateMethod } from './translate-method.ts'
import { makeVmKey, shortyOf, VmImage, type VmKey } from './vm-image.ts'
import { interpreterClass, stubBody, type VmLoading } from './vm-stub.ts'

const STATIC = 0x8

/**
 * Takes the code of chosen methods out of the dex files of one build: the interpreter runs it, and a stub calls that. `owner`: descriptor of the class with
 * the native methods, which `finish` makes.
 */
export class Virtualiser {
  readonly key: VmKey
  readonly owner: string
  private readonly image = new VmImage()
  private readonly random: SeededRandom
  private readonly program: Program

  constructor(owner: string, program: Program, random: SeededRandom) {
    this.owner = owner
    this.program = program
    this.random = random
    this.key = makeVmKey(random)
  }

  get methodCount(): number {
    return this.image.methodCount
  }

  /** Virtualises methods of a class as it was read; `chooses`: whether one is wanted, by its name. What stays is logged with the reason. */
  virtualise(
    model: DexModel,
    file: string,
    one: ClassDefinition,
    chooses: (name: string) => boolean,
    log: HardenLog,
  ): void {
    const descriptor = model.descriptor(one.type)
    const place = classNameOf(descriptor)
    let count = 0
    let constructors = 0
    const superclass = one.superclass < 0 ? 'Ljava/lang/Object;' : model.descriptor(one.superclass)
    const mayInitialise = (type: string) => type !== descriptor && hasInitialiser(this.program, type)
    for (const method of methodsOf(one)) {
      const name = model.strings[model.methods[method.method]!.name]!
      if (!chooses(name)) continue
      const declared = unsuitableDeclaration(model, method)
      if (declared?.text === 'a constructor or the initialiser of a class') {
        constructors++
        continue
      }
      const body = declared || method.code?.is !== 'file' ? undefined : liftCode(model, method.code)
      const reason = declared ?? (body && unsuitableCode(model, body, this.program))
      if (reason) log.skipped('dex_vmp', file, `${place}.${name}`, reason.text, 1, reason.detail)
      if (reason || !body) continue
      const { records, tries } = translateMethod(model, body, this.image, { superclass, mayInitialise })
      const isStatic = (method.flags & STATIC) !== 0
      const shorty = model.strings[model.protos[model.methods[method.method]!.proto]!.shorty]!
      const id = this.image.add({
        ...{ registers: body.registers, records, tries },
        shorty: shortyOf(shorty, isStatic),
      })
      method.code = stubBody(model, method, id, this.owner, isStatic)
      packCode(model, method)
      count++
    }
    log.skipped('dex_vmp', file, place, 'a constructor or the initialiser of a class', constructors)
    log.applied('dex_vmp', file, place, 'methods virtualised', count)
  }

  /** Adds the class with the native methods and the code to a dex file, after all methods. */
  finish(model: DexModel, loading: VmLoading): void {
    const one = interpreterClass(model, this.owner, this.image.encode(this.key, this.random), loading)
    model.classes.push(one)
    for (const method of methodsOf(one)) packCode(model, method)
  }
}
