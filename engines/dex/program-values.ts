import type { CodeBase } from './code-base.ts'
import type { PartValue } from './code-part.ts'
import { type DefinedMethod, InstructionSite, InvokeSite } from './code-places.ts'
import type { FieldFacts, Value } from './program.ts'

const STATIC = 0x08
const FINAL = 0x10
const INITIALISER = '<clinit>()V'

/** Turns what stands in a register into a Value of the program: places become sites, static final fields what they hold. */
export class ProgramValues {
  private readonly base: CodeBase
  private readonly fields = new Map<string, ReadonlyMap<string, FieldFacts>>()
  private readonly held = new Map<string, readonly Value[]>()

  constructor(base: CodeBase) {
    this.base = base
  }

  of(method: DefinedMethod, values: readonly PartValue[]): Value[] {
    return values.flatMap((value): readonly Value[] => {
      if (value.kind === 'new')
        return [{ kind: 'new', descriptor: value.descriptor, site: new InstructionSite(method, value.address) }]
      if (value.kind === 'call')
        return [{ kind: 'call', callee: value.callee, site: new InvokeSite(method, value.address, value.callee) }]
      return value.kind === 'field' ? this.inField(value.field) : [value]
    })
  }

  /** What a static final field of the package holds; the field itself where that is not decided. */
  private inField(reference: string): readonly Value[] {
    const known = this.held.get(reference)
    if (known) return known
    const itself: Value = { kind: 'field', field: reference }
    // A field that is set from itself, through others, is not decided.
    this.held.set(reference, [itself])
    const arrow = reference.indexOf('->')
    const owner = reference.slice(0, arrow)
    const field = this.fieldsOf(owner).get(reference.slice(arrow + 2))
    if (!field || (field.accessFlags & (STATIC | FINAL)) !== (STATIC | FINAL)) return [itself]
    const stored = this.storedIn(owner, reference)
    const values = stored.length ? stored : field.constant === undefined ? [itself] : [constantValue(field.constant)]
    this.held.set(reference, values)
    return values
  }

  private storedIn(owner: string, reference: string): Value[] {
    const method = this.base.hierarchy.methodIn(owner, INITIALISER)
    const part = this.base.places.get(owner)?.part
    if (method < 0 || !part) return []
    return this.of(this.base.methodAt(part, method), part.storedValues(method, reference))
  }

  /** By name and type. */
  private fieldsOf(owner: string): ReadonlyMap<string, FieldFacts> {
    const known = this.fields.get(owner)
    if (known) return known
    const place = this.base.places.get(owner)
    const fields = place ? place.part.fieldsOf(place.index) : []
    const byName = new Map(fields.map((field) => [`${field.name}:${field.type}`, field]))
    this.fields.set(owner, byName)
    return byName
  }
}

function constantValue(constant: NonNullable<FieldFacts['constant']> | null): Value {
  if (constant === null) return { kind: 'null' }
  if (typeof constant === 'string') return { kind: 'string', value: constant }
  return { kind: 'number', value: typeof constant === 'boolean' ? Number(constant) : constant }
}
