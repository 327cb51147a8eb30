import type { Component } from '../../apk/apk-facts.ts'
import type { ClassFacts, MethodFacts } from '../../dex/program.ts'
import { outerClass } from './code.ts'
import { BROUGHT } from './effects.ts'
import { isExported } from './exported.ts'
import { neverRuns } from './note-unused-code.ts'
import type { CodeContext, ManifestContext } from './rule.ts'
import { isDecided } from './unused-code.ts'

const URI = 'Landroid/net/Uri;'

/**
 * Is a provider open to others by grants alone, and does no code that may run have its address to give one for? Then only an intent of
 * another application that is passed on reaches it. False where anything but its own class knows the authority, or may find it.
 */
export function isUnaddressed(
  context: CodeContext & ManifestContext,
  component: Component,
  found: ClassFacts,
): boolean {
  const { program, facts, resources } = context
  if (isExported(context, component) || !isDecided(context) || facts.sharedUserId) return false
  const id = facts.package?.value
  if (!id || !component.authorities.length) return false
  const isNamed = (value: string) => component.authorities.some((one) => namesAuthority(value, one, id))
  const isOther = (owner: string) => outerClass(owner) !== outerClass(found.descriptor)
  const runs = (method: MethodFacts) => isOther(method.owner) && !neverRuns(context, method)
  for (const { value } of resources?.all() ?? []) if (value?.text && isNamed(value.text)) return false
  for (const { value, locations, fields } of program.stringConstants())
    if (isNamed(value) && (fields.some((one) => isOther(ownerOf(one))) || locations.some(({ method }) => runs(method))))
      return false
  // Others may ask its class, or Android, for the authority.
  const asks = program
    .callsTo(`${found.descriptor}->`)
    .some(({ method, callee }) => runs(method) && !takesAddress(callee))
  const isFoundation = (owner: string) => BROUGHT.test(owner) || FOUNDATION.has(context.ownerOf(owner).sdk ?? '')
  return (
    !asks &&
    !program.fieldUses(`${found.descriptor}->`).some(({ method }) => runs(method)) &&
    !program.fieldUses(AUTHORITY).some(({ method }) => !isFoundation(method.owner) && runs(method))
  )
}
/** They look for providers of fonts and files, whatever their classes are called now. */
const FOUNDATION = new Set(['androidx', 'support-lib'])
const ownerOf = (field: string): string => field.slice(0, field.indexOf('->'))
const AUTHORITY = 'Landroid/content/pm/ProviderInfo;->authority'

/** A method that is given an address and makes none. */
const takesAddress = (callee: string): boolean =>
  callee.slice(callee.indexOf('(')).startsWith(`(${URI}`) && !callee.endsWith(`)${URI}`)

/** Does a text name an authority, or the part of it that is behind the name of the package? */
function namesAuthority(value: string, authority: string, id: string): boolean {
  if (value.includes(authority)) return true
  if (!authority.startsWith(`${id}.`)) return false
  const rest = authority.slice(id.length)
  return value === rest.slice(1) || value.endsWith(rest) || value.includes(`${rest}/`)
}
