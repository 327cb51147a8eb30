import type { CodePart } from './code-part.ts'

/** A class by part and number in it. */
export interface ClassDefinition {
  readonly part: CodePart
  readonly index: number
}

/** Which class extends or implements which; classes outside of the package are known by name alone. */
export class ClassHierarchy {
  private readonly definitions: ReadonlyMap<string, ClassDefinition>
  private children: Map<string, string[]> | undefined
  private readonly above = new Map<string, ReadonlySet<string>>()
  private readonly below = new Map<string, readonly string[]>()
  private readonly members = new Map<string, ReadonlyMap<string, number>>()

  constructor(definitions: ReadonlyMap<string, ClassDefinition>) {
    this.definitions = definitions
  }

  /** The class itself and all that it extends or implements. */
  ancestors(descriptor: string): ReadonlySet<string> {
    const known = this.above.get(descriptor)
    if (known) return known
    const found = new Set([descriptor])
    for (const one of found) for (const parent of this.parents(one)) found.add(parent)
    this.above.set(descriptor, found)
    return found
  }

  /** All defined classes below, nearest first. */
  descendants(ancestor: string): readonly string[] {
    const known = this.below.get(ancestor)
    if (known) return known
    const children = this.children ?? this.invert()
    const found = new Set<string>([ancestor])
    for (const one of found) for (const child of children.get(one) ?? []) found.add(child)
    found.delete(ancestor)
    const list = [...found]
    this.below.set(ancestor, list)
    return list
  }

  /** The defined method `name` + signature of that very class, -1 if it has none. */
  methodIn(descriptor: string, member: string): number {
    const definition = this.definitions.get(descriptor)
    if (!definition) return -1
    let methods = this.members.get(descriptor)
    if (!methods) {
      const [from, to] = definition.part.methodsOf(definition.index)
      const read = new Map<string, number>()
      for (let method = from; method < to; method++)
        read.set(definition.part.methodName(method) + definition.part.methodSignature(method), method)
      methods = read
      this.members.set(descriptor, read)
    }
    return methods.get(member) ?? -1
  }

  /** Does a call through `owner` end in the method as `ancestor` has it: nothing between them defines its own? */
  inherits(owner: string, ancestor: string, member: string): boolean {
    if (owner === ancestor) return true
    if (!this.ancestors(owner).has(ancestor)) return false
    const seen = new Set<string>()
    for (let at: string | null = owner; at !== null && at !== ancestor && !seen.has(at); ) {
      seen.add(at)
      if (this.methodIn(at, member) >= 0) return false
      const definition: ClassDefinition | undefined = this.definitions.get(at)
      at = definition ? definition.part.superclassOf(definition.index) : null
    }
    return true
  }

  private parents(descriptor: string): string[] {
    const definition = this.definitions.get(descriptor)
    if (!definition) return []
    const superclass = definition.part.superclassOf(definition.index)
    const interfaces = definition.part.interfacesOf(definition.index)
    return superclass === null ? [...interfaces] : [superclass, ...interfaces]
  }

  private invert(): Map<string, string[]> {
    const children = new Map<string, string[]>()
    for (const descriptor of this.definitions.keys())
      for (const parent of this.parents(descriptor)) {
        const list = children.get(parent)
        if (list) list.push(descriptor)
        else children.set(parent, [descriptor])
      }
    this.children = children
    return children
  }
}
