import type { CodePart } from './code-part.ts'
import type { CallSite, ClassFacts, CodeLocation, FieldFacts, FieldUse, MethodFacts } from './program.ts'

/** A defined method; texts are made when asked for, as a program has hundreds of thousands of them. */
export class DefinedMethod implements MethodFacts {
  readonly #part: CodePart
  readonly #index: number

  constructor(part: CodePart, index: number) {
    this.#part = part
    this.#index = index
  }

  get part(): CodePart {
    return this.#part
  }

  get index(): number {
    return this.#index
  }

  get owner(): string {
    return this.#part.descriptorOf(this.#part.methodClass(this.#index))
  }

  get name(): string {
    return this.#part.methodName(this.#index)
  }

  get signature(): string {
    return this.#part.methodSignature(this.#index)
  }

  get reference(): string {
    return `${this.owner}->${this.name}${this.signature}`
  }

  get parameters(): readonly string[] {
    return this.#part.methodParameters(this.#index)
  }

  get returns(): string {
    return this.signature.slice(this.signature.lastIndexOf(')') + 1)
  }

  get accessFlags(): number {
    return this.#part.methodFlags(this.#index)
  }

  get codeSize(): number {
    return this.#part.codeSize(this.#index)
  }

  get annotations(): readonly string[] {
    return this.#part.methodAnnotations(this.#index)
  }
}

/** A defined class, read where it is asked. */
export class DefinedClass implements ClassFacts {
  readonly #part: CodePart
  readonly #index: number
  readonly #methodAt: (method: number) => DefinedMethod
  readonly descriptor: string

  constructor(part: CodePart, index: number, methodAt: (method: number) => DefinedMethod) {
    this.#part = part
    this.#index = index
    this.#methodAt = methodAt
    this.descriptor = part.descriptorOf(index)
  }

  get accessFlags(): number {
    return this.#part.accessFlagsOf(this.#index)
  }

  get superclass(): string | null {
    return this.#part.superclassOf(this.#index)
  }

  get interfaces(): readonly string[] {
    return this.#part.interfacesOf(this.#index)
  }

  get sourceFile(): string | null {
    return this.#part.sourceFileOf(this.#index)
  }

  get methods(): readonly DefinedMethod[] {
    const [from, to] = this.#part.methodsOf(this.#index)
    return Array.from({ length: to - from }, (_, i) => this.#methodAt(from + i))
  }

  get fields(): readonly FieldFacts[] {
    return this.#part.fieldsOf(this.#index)
  }

  get annotations(): readonly string[] {
    return this.#part.annotationsOf(this.#index)
  }

  get entry(): string {
    return this.#part.locationOf(this.#index).entry
  }

  get offset(): number {
    return this.#part.locationOf(this.#index).offset
  }
}

/** An instruction of a defined method. */
export class InstructionLocation implements CodeLocation {
  readonly method: DefinedMethod
  readonly #address: number

  constructor(method: DefinedMethod, address: number) {
    this.method = method
    this.#address = address
  }

  get address(): number {
    return this.#address
  }

  get entry(): string {
    return this.method.part.entryAt(this.#address).entry
  }

  get offset(): number {
    return this.method.part.entryAt(this.#address).offset
  }

  get line(): number | null {
    return this.method.part.lineAt(this.method.index, this.#address)
  }
}

export class InvokeSite extends InstructionLocation implements CallSite {
  readonly callee: string

  constructor(method: DefinedMethod, address: number, callee: string) {
    super(method, address)
    this.callee = callee
  }

  get kind(): CallSite['kind'] {
    return this.method.part.callKind(this.address)
  }
}

export class FieldLocation extends InstructionLocation implements FieldUse {
  readonly field: string

  constructor(method: DefinedMethod, address: number, field: string) {
    super(method, address)
    this.field = field
  }

  get write(): boolean {
    return this.method.part.writesField(this.address)
  }
}
