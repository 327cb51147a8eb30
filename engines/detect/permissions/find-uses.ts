import type { CodeLocation, Program } from '../../dex/program.ts'
import { codeEvidence } from '../evidence/code-evidence.ts'
import { descriptorOf, locationOfClass } from '../evidence/locations.ts'
import type { InspectedPackage, Owner } from '../input/inspected-package.ts'
import type { Location } from '../result/scan-result.ts'
import type { ApiReference } from './api-reference.ts'

/** Use of an API by somebody; `codeLocation` is null for what the manifest says. */
export interface ApiUse {
  readonly owner: Owner
  readonly codeLocation: CodeLocation | null
  readonly evidence: () => Location
}

/** What is asked of a program again and again, worked out once. */
export interface UseIndex {
  readonly program: Program | null
  /** Loaded texts that one of the asked references names, or begins with it. */
  readonly texts: ReadonlyMap<string, readonly CodeLocation[]>
  /** Actions that receivers and services wait for. */
  readonly actions: ReadonlyMap<string, readonly Location[]>
}

const OWN: Owner = { kind: 'own', sdk: null }

/** One pass over the strings for all references. */
export function indexUses(inspected: InspectedPackage, references: readonly ApiReference[]): UseIndex {
  const whole = new Set<string>()
  const prefixes: string[] = []
  for (const one of references) {
    if (one.kind !== 'text') continue
    if (one.prefix) prefixes.push(one.value)
    else whole.add(one.value)
  }
  const texts = new Map<string, CodeLocation[]>()
  const add = (key: string, locations: readonly CodeLocation[]) =>
    texts.set(key, [...(texts.get(key) ?? []), ...locations])
  for (const constant of inspected.program?.stringConstants() ?? []) {
    if (whole.has(constant.value)) add(constant.value, constant.locations)
    const address = constant.value.startsWith('file:///') ? constant.value.slice(7) : constant.value
    if (!address.startsWith('content://') && !address.startsWith('/')) continue
    for (const prefix of prefixes) if (beginsWith(address, prefix)) add(prefix, constant.locations)
  }
  return { program: inspected.program, texts, actions: manifestActions(inspected) }
}

/** `content://sms` is the address itself or something below it, not `content://smsx`. */
function beginsWith(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && (text.length === prefix.length || '/?#'.includes(text[prefix.length]!))
}

function manifestActions(inspected: InspectedPackage): Map<string, Location[]> {
  const actions = new Map<string, Location[]>()
  for (const component of inspected.facts?.components ?? [])
    for (const filter of component.intentFilters)
      for (const action of filter.actions) {
        const evidence = { ...filter.evidence, class: component.name }
        actions.set(action, [...(actions.get(action) ?? []), evidence])
      }
  return actions
}

/** Every use of one reference in code and manifest, in the order of the program. */
export function findUses(inspected: InspectedPackage, index: UseIndex, reference: ApiReference): ApiUse[] {
  const { program } = index
  const uses: ApiUse[] = []
  const add = (locations: readonly CodeLocation[]) => {
    for (const codeLocation of locations) {
      const owner = inspected.ownerOf(codeLocation.method.owner)
      uses.push({ owner, codeLocation, evidence: () => codeEvidence(program!, codeLocation) })
    }
  }
  if (reference.kind === 'text') {
    add(index.texts.get(reference.value) ?? [])
    if (reference.inManifest)
      for (const evidence of index.actions.get(reference.value) ?? [])
        uses.push({ owner: componentOwner(inspected, evidence), codeLocation: null, evidence: () => evidence })
    return uses
  }
  if (!program) return uses
  if (reference.kind === 'class') {
    add(program.typeUses(reference.descriptor))
    for (const heir of program.subclassesOf(reference.descriptor))
      uses.push({
        owner: inspected.ownerOf(heir.descriptor),
        codeLocation: null,
        evidence: () => locationOfClass(heir),
      })
    return uses
  }
  const { argument } = reference
  const calls = program.callsTo(reference.pattern)
  add(argument ? calls.filter((call) => fits(program, call, argument)) : calls)
  if (!reference.pattern.includes('(') && !argument)
    add(program.fieldUses(reference.pattern).filter((use) => !use.write))
  return uses
}

function fits(
  program: Program,
  call: Parameters<Program['argument']>[0],
  condition: { readonly index: number; readonly matches: (value: string) => boolean },
): boolean {
  const value = program.argument(call, condition.index)
  return (value.kind === 'string' || value.kind === 'number') && condition.matches(String(value.value))
}

function componentOwner(inspected: InspectedPackage, evidence: Location): Owner {
  return evidence.class ? inspected.ownerOf(descriptorOf(evidence.class)) : OWN
}
