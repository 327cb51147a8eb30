import type { CallSite, MethodFacts, Program } from '../../dex/program.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'

const FILE = 'capacitor.config.json'
const ENTRY = `assets/${FILE}`
const MOST_BYTES = 2 ** 20
/** The names that Capacitor reads a preference by: the second one wins. */
const keysOf = (name: string) => [name, `android.${name}`]

/**
 * Is a call certain not to run, because Capacitor makes it only where a preference of its configuration is true, and the configuration of the
 * package does not set it? The code must show it: the flag that guards the call is a field that is read from the preference, by both of its
 * names, in the class that opens the file. Names of classes, methods and fields may be shortened. False where anything else may set
 * the flag or make the configuration, and where the file cannot be read.
 */
export function isOffInCapacitor(inspected: InspectedPackage, program: Program, call: CallSite, name: string): boolean {
  if (inspected.codeGap || inspected.packer) return false
  const field = guardOf(program, call)
  if (!field) return false
  const owner = field.slice(0, field.indexOf('->'))
  const isOwners = ({ method }: { readonly method: MethodFacts }) => method.owner === owner
  const opens = program.stringUses(FILE)
  if (!opens.some(isOwners)) return false
  for (const key of keysOf(name)) if (!program.stringUses(key).every(isOwners)) return false
  const writes = program.fieldUses(field).filter(({ write }) => write)
  if (!writes.every(isOwners)) return false
  const isRead = writes.some((write) => {
    const lines = program.listing(write, LINES_OF_READING)
    return keysOf(name).every((key) => lines.some((line) => line.includes(`"${key}"`)))
  })
  return isRead && !isMadeElsewhere(program, owner) && isUnset(inspected, name)
}

/** Lines around the write of a flag that hold the two calls before it which read the preference. */
const LINES_OF_READING = 19
/** Instructions have one code unit at least, so that a larger method is not looked at as a whole. */
const MOST_UNITS = 4096

/** The field that must be true for a call to run; undefined where it is not read directly before it, or another way leads between the two. */
function guardOf(program: Program, call: CallSite): string | undefined {
  const { codeSize } = call.method
  if (codeSize > MOST_UNITS) return undefined
  const lines = program.listing(call, 2 * codeSize + 1)
  const isCall = (line: string) => line.includes(call.callee) && addressOf(line) !== undefined
  const at = lines.findIndex(isCall)
  const address = addressOf(lines[at] ?? '')
  if (address === undefined || lines.filter(isCall).length > 1) return undefined
  let asks = at - 1
  while (/^\w+: const\//.test(lines[asks] ?? '')) asks--
  const guard = lines[asks] ?? ''
  const register = /^\w+: if-eqz (v\d+), /.exec(guard)?.[1]
  const target = targetOf(guard)
  // The jump must lead behind the call.
  if (register === undefined || target === undefined || target <= address) return undefined
  const before = lines[asks - 1] ?? ''
  const read = /^\w+: iget-boolean (v\d+), v\d+, (L\S+;->\S+:Z)$/.exec(before)
  if (read?.[1] === register) return program.isStraight(call, at - asks + 1) ? read[2] : undefined
  const asked = /^\w+: invoke-virtual \{v\d+\}, (L\S+;->\S+\(\)Z)$/.exec(lines[asks - 2] ?? '')?.[1]
  if (!asked || /^\w+: move-result (v\d+)$/.exec(before)?.[1] !== register) return undefined
  return program.isStraight(call, at - asks + 2) ? fieldOf(program, asked) : undefined
}

/** Where a jump leads, in code units of its method; undefined for other instructions. */
function targetOf(line: string): number | undefined {
  const [, sign, units] = /^\w+: (?:if|goto)\S* (?:.*, )?([+-])0x([\da-f]+)$/.exec(line) ?? []
  const from = addressOf(line)
  if (from === undefined || units === undefined) return undefined
  return from + (sign === '-' ? -1 : 1) * Number.parseInt(units, 16)
}

const addressOf = (line: string): number | undefined => {
  const digits = /^([\da-f]+): /.exec(line)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** The field of its own class that a method, which no heir overrides, gives back and does nothing else. */
function fieldOf(program: Program, reference: string): string | undefined {
  const owner = reference.slice(0, reference.indexOf('->'))
  const method = program.classOf(owner)?.methods.find((one) => one.reference === reference)
  if (!method || program.callsFrom(method).length || program.subclassesOf(owner).length) return undefined
  const values = program.returns(method)
  const [value] = values
  return values.length === 1 && value?.kind === 'field' && value.field.startsWith(`${owner}->`)
    ? value.field
    : undefined
}

/**
 * Does code outside of the package of a class make an object of it, itself or by a method of that package? Methods that only give back what
 * they have do not.
 */
function isMadeElsewhere(program: Program, owner: string): boolean {
  const holder = packageOf(owner)
  for (const { descriptor, methods } of program.classes())
    for (const method of methods) {
      const makes =
        (descriptor === owner && method.name === '<init>') ||
        (method.returns === owner && (method.codeSize === 0 || program.callsFrom(method).length > 0))
      if (!makes) continue
      if (packageOf(descriptor) !== holder) return true
      if (program.callsTo(method.reference).some((call) => packageOf(call.method.owner) !== holder)) return true
    }
  return false
}

const packageOf = (descriptor: string): string => descriptor.slice(0, descriptor.lastIndexOf('/') + 1)

/** Was the configuration read, and is the preference absent or false in it, by either name? */
function isUnset({ read }: InspectedPackage, name: string): boolean {
  const bytes = read(ENTRY)
  if (!bytes || bytes.length > MOST_BYTES) return false
  let root: unknown
  try {
    root = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return false
  }
  const isOff = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return false
    const value = (holder as Readonly<Record<string, unknown>>)[name]
    return value === undefined || value === false
  }
  return isOff(root) && isOff((root as { readonly android?: unknown }).android ?? {})
}
