import type { Component } from '../../apk/apk-facts.ts'
import type { MethodFacts } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { outerClass } from './code.ts'
import type { CodeContext, ManifestContext } from './rule.ts'

/** `signature`, also as one of several flags. */
export const isSignatureLevel = (level: string): boolean => /signature|internal|knownSigner|\bsystem/i.test(level)

/** Open to other applications as a device takes it: from target SDK 31 on nothing is exported that does not say so. */
export function isExported(context: ManifestContext, component: Component): boolean {
  if (!component.enabled || !component.exported) return false
  return component.exportedWritten || component.kind === 'provider' || context.targetSdk < 31
}

/** Whether no one but the same signer and the system may call with this permission. */
export function guardsWell(context: ManifestContext, permission: string | null): boolean {
  if (!permission) return false
  const own = context.facts.definedPermissions.find(({ name }) => name === permission)
  return own ? isSignatureLevel(own.protectionLevel) : PLATFORM_SIGNATURE.test(permission)
}

/** Permissions that only the platform or Google's services hold: those that services are bound with, and a few more. */
const PLATFORM_SIGNATURE =
  /^com\.google\.android\.c2dm\.permission\.SEND$|^android\.permission\.(?:BIND_|DUMP$|INTERACT_ACROSS_USERS|MANAGE_DOCUMENTS$|SEND_RESPOND_VIA_MESSAGE$|BROADCAST_|STATUS_BAR_SERVICE$|WRITE_SECURE_SETTINGS$|INSTALL_PACKAGES$|READ_PRIVILEGED|MANAGE_)/

/** Exported and not kept to the same signer: its input is anybody's. */
export const isOpen = (context: ManifestContext, component: Component): boolean =>
  isExported(context, component) && !guardsWell(context, component.permission)

/** Classes of open components of these kinds. */
export function openClasses(context: ManifestContext, ...kinds: readonly Component['kind'][]): Set<string> {
  const classes = new Set<string>()
  for (const component of context.facts.components)
    if (kinds.includes(component.kind) && isOpen(context, component))
      classes.add(descriptorOf(component.targetActivity ?? component.name))
  return classes
}

/** Is the method part of an open component: of its class, an inner class of it, or a class that it extends? */
export function runsInOpen(context: CodeContext, open: ReadonlySet<string>, method: MethodFacts): boolean {
  const outer = outerClass(method.owner)
  if (open.has(outer) || open.has(method.owner)) return true
  if (context.ownerOf(outer).kind === 'sdk') return false
  for (const descriptor of open) if (context.program.isA(descriptor, outer)) return true
  return false
}
