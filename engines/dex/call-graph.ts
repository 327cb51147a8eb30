import type { CodeBase } from './code-base.ts'
import type { DefinedMethod } from './code-locations.ts'
import type { CodePart } from './code-part.ts'

/** Calls of these through Object lead to every class there is, which says nothing. */
const OBJECT = 'Ljava/lang/Object;'
/** With more classes above and below, the methods of one name are fewer. */
const MOST_RELATED = 12
const PRIVATE_OR_STATIC = 0x0a

/** A reference of one part, with the class that it names. */
interface MemberReference {
  readonly part: CodePart
  readonly target: number
  readonly through: string
}

/** Who may call whom, by class hierarchy analysis: a call through a class or an interface may end in every override below it. */
export class CallGraph {
  private readonly base: CodeBase
  private readonly known = new Map<DefinedMethod, readonly DefinedMethod[]>()
  private readonly references = new Map<string, Map<string, MemberReference[]>>()

  constructor(base: CodeBase) {
    this.base = base
  }

  /** Methods that may call this one, nearest first. */
  callersOf(method: DefinedMethod, depth: number): DefinedMethod[] {
    const found = new Set<DefinedMethod>([method])
    let level: readonly DefinedMethod[] = [method]
    for (let i = 0; i < depth && level.length; i++) {
      const next: DefinedMethod[] = []
      for (const one of level)
        for (const caller of this.directCallers(one)) {
          if (found.has(caller)) continue
          found.add(caller)
          next.push(caller)
        }
      level = next
    }
    found.delete(method)
    return [...found]
  }

  private directCallers(method: DefinedMethod): readonly DefinedMethod[] {
    const known = this.known.get(method)
    if (known) return known
    const callers = new Set<DefinedMethod>()
    const { owner, name, signature } = method
    const member = name + signature
    for (const { part, target, through } of this.referencesTo(method)) {
      if (this.base.hierarchy.inherits(through, owner, member)) this.add(callers, part, target, false)
      else if (overrides(this.base, method, through)) this.add(callers, part, target, true)
    }
    const list = [...callers]
    this.known.set(method, list)
    return list
  }

  /** What code calls by the name and signature of a method, through its class, those above and below it, and maybe others. */
  private referencesTo(method: DefinedMethod): readonly MemberReference[] {
    const { owner, name, signature } = method
    const { hierarchy } = this.base
    // A constructor is called through its own class alone. The family of most classes is small, their short names are everybody's.
    const related = name.startsWith('<') ? [owner] : [...hierarchy.ancestors(owner), ...hierarchy.descendants(owner)]
    return related.length > MOST_RELATED
      ? this.referencesNamed(name, signature)
      : this.referencesThrough(related, method)
  }

  private referencesThrough(owners: readonly string[], { name, signature }: DefinedMethod): MemberReference[] {
    return this.base.parts.flatMap((part) =>
      owners.flatMap((through) =>
        Array.from(part.methods.ownedBy(through)).flatMap((target) =>
          part.methods.name(target) === name &&
          part.methods.signature(target) === signature &&
          part.calls.isNamed(target)
            ? [{ part, target, through }]
            : [],
        ),
      ),
    )
  }

  private referencesNamed(name: string, signature: string): readonly MemberReference[] {
    let bySignature = this.references.get(name)
    if (!bySignature) {
      bySignature = new Map()
      for (const part of this.base.parts)
        for (const target of Array.from(part.methods.named(name))) {
          if (!part.calls.isNamed(target)) continue
          const reference = { part, target, through: part.methods.owner(target) }
          const others = bySignature.get(part.methods.signature(target))
          if (others) others.push(reference)
          else bySignature.set(part.methods.signature(target), [reference])
        }
      this.references.set(name, bySignature)
    }
    return bySignature.get(signature) ?? []
  }

  /** @param dispatched only calls that look for the method in the class of the object */
  private add(callers: Set<DefinedMethod>, part: CodePart, target: number, dispatched: boolean): void {
    for (const index of part.calls.indicesOf(target)) {
      const kind = dispatched ? part.callKind(part.calls.addresses[index]!) : 'virtual'
      if (kind === 'virtual' || kind === 'interface') callers.add(this.base.methodAt(part, part.calls.methodOf(index)))
    }
  }
}

function overrides(base: CodeBase, method: DefinedMethod, ancestor: string): boolean {
  if (ancestor === OBJECT || method.name.startsWith('<') || method.accessFlags & PRIVATE_OR_STATIC) return false
  return base.hierarchy.ancestors(method.owner).has(ancestor)
}
