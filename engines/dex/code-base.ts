import { type ClassDefinition, ClassHierarchy } from './class-hierarchy.ts'
import { DefinedMethod, InstructionLocation, InvokeSite } from './code-locations.ts'
import type { CodePart, References } from './code-part.ts'
import type { LocationTable } from './location-table.ts'

/** The parts of a program side by side: who defines which class, and one object for each defined method that was asked for. */
export class CodeBase {
  readonly parts: readonly CodePart[]
  /** The first definition of each class. */
  readonly definitions: ReadonlyMap<string, ClassDefinition>
  readonly hierarchy: ClassHierarchy
  private readonly methods = new Map<CodePart, (DefinedMethod | undefined)[]>()

  constructor(parts: readonly CodePart[]) {
    this.parts = parts
    const definitions = new Map<string, ClassDefinition>()
    for (const part of parts) {
      for (let index = 0; index < part.classCount; index++) {
        const descriptor = part.descriptorOf(index)
        if (descriptor && !definitions.has(descriptor)) definitions.set(descriptor, { part, index })
      }
      this.methods.set(part, new Array(part.methodCount))
    }
    this.definitions = definitions
    this.hierarchy = new ClassHierarchy(definitions)
  }

  methodAt(part: CodePart, index: number): DefinedMethod {
    const known = this.methods.get(part)!
    known[index] ??= new DefinedMethod(part, index)
    return known[index]
  }

  /** Locations of one table that name the target. */
  placesOf<T>(
    part: CodePart,
    table: LocationTable,
    target: number,
    make: (method: DefinedMethod, address: number) => T,
  ): T[] {
    return Array.from(table.indicesOf(target), (index) =>
      make(this.methodAt(part, table.methodOf(index)), table.addresses[index]!),
    )
  }

  locations(part: CodePart, table: LocationTable, target: number): InstructionLocation[] {
    return this.placesOf(part, table, target, (method, address) => new InstructionLocation(method, address))
  }

  firstLocation(part: CodePart, table: LocationTable, target: number): InstructionLocation | undefined {
    const index = table.indicesOf(target)[0]
    return index === undefined
      ? undefined
      : new InstructionLocation(this.methodAt(part, table.methodOf(index)), table.addresses[index]!)
  }

  callSites(part: CodePart, target: number): InvokeSite[] {
    const callee = methodReference(part.methods, target)
    return this.placesOf(part, part.calls, target, (method, address) => new InvokeSite(method, address, callee))
  }
}

export const methodReference = (references: References, index: number): string =>
  `${references.owner(index)}->${references.name(index)}${references.signature(index)}`

export const fieldReference = (references: References, index: number): string =>
  `${references.owner(index)}->${references.name(index)}:${references.signature(index)}`
