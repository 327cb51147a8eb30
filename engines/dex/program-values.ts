import type { CodeBase } from './code-base.ts'
import { type DefinedMethod, InstructionLocation, InvokeSite } from './code-locations.ts'
import type { PartValue } from './code-part.ts'
import type { FieldFacts, Value } from './program.ts'
import { searchReferences } from './reference-search.ts'

const STATIC = 0x08
const FINAL = 0x10
const INITIALISER = '<clinit>()V'
/** What a field of these types holds may be a text or a key. */
const TEXTS = new Set(['Ljava/lang/String;', '[B', '[C'])
/** More writes than constructors have are not looked at. */
const MOST_WRITES = 8

/**
 * Turns a register's value into a Value of the program: addresses become code locations, fields what they hold where that is decided: static final
 * ones, and texts that initialisers of their class alone write.
 */
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
        return [{ kind: 'new', descriptor: value.descriptor, location: new InstructionLocation(method, value.address) }]
      if (value.kind === 'call')
        return [{ kind: 'call', callee: value.callee, location: new InvokeSite(method, value.address, value.callee) }]
      return value.kind === 'field' ? this.inField(value.field) : [value]
    })
  }

  /** What a field of the package holds; the field itself where that is not decided. */
  inField(reference: string): readonly Value[] {
    const known = this.held.get(reference)
    if (known) return known
    const itself: Value = { kind: 'field', field: reference }
    // A field that is set from itself, through others, is not decided.
    this.held.set(reference, [itself])
    const arrow = reference.indexOf('->')
    const owner = reference.slice(0, arrow)
    const field = this.fieldsOf(owner).get(reference.slice(arrow + 2))
    if (!field) return [itself]
    const fixed = (field.accessFlags & (STATIC | FINAL)) === (STATIC | FINAL)
    const values = fixed ? this.inConstant(owner, field) : this.neverChanged(owner, field)
    this.held.set(reference, values.length ? values : [itself])
    return this.held.get(reference)!
  }

  private inConstant(owner: string, { reference, constant }: FieldFacts): readonly Value[] {
    const stored = this.storedIn(owner, reference)
    return stored.length || constant === undefined ? stored : [constantValue(constant)]
  }

  /** The constants of a text that only initialisers of its class write; nothing where anything else does, or what they write is not constant. */
  private neverChanged(owner: string, { reference, constant, type }: FieldFacts): readonly Value[] {
    if (!TEXTS.has(type)) return []
    const found: Value[] = typeof constant === 'string' ? [constantValue(constant)] : []
    let writes = 0
    for (const part of this.base.parts)
      for (const target of searchReferences(this.base, part.fields, part.fieldLocations, reference))
        for (const index of part.fieldLocations.indicesOf(target)) {
          if (!part.writesField(part.fieldLocations.addresses[index]!)) continue
          const method = this.base.methodAt(part, part.fieldLocations.methodOf(index))
          if (++writes > MOST_WRITES || method.owner !== owner || !method.name.startsWith('<')) return []
          for (const value of this.of(method, part.storedValues(method.index, reference)))
            if (!isText(value)) return []
            else if (!found.some((other) => sameText(other, value))) found.push(value)
        }
    return found
  }

  private storedIn(owner: string, reference: string): Value[] {
    const method = this.base.hierarchy.methodIn(owner, INITIALISER)
    const part = this.base.definitions.get(owner)?.part
    if (method < 0 || !part) return []
    return this.of(this.base.methodAt(part, method), part.storedValues(method, reference))
  }

  /** By name and type. */
  private fieldsOf(owner: string): ReadonlyMap<string, FieldFacts> {
    const known = this.fields.get(owner)
    if (known) return known
    const definition = this.base.definitions.get(owner)
    const fields = definition ? definition.part.fieldsOf(definition.index) : []
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

/** A text, bytes, or what a method of a text makes of it (`getBytes`, `toCharArray`). */
function isText(value: Value): boolean {
  if (value.kind === 'array') return value.bytes !== undefined
  return value.kind === 'string' || (value.kind === 'call' && value.callee.startsWith('Ljava/lang/String;->'))
}

const sameText = (one: Value, other: Value): boolean =>
  one.kind === 'string' && other.kind === 'string'
    ? one.value === other.value
    : one.kind === 'array' && other.kind === 'array' && Buffer.compare(one.bytes!, other.bytes!) === 0
