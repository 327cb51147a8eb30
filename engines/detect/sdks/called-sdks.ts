import { descriptorOf } from '../evidence/locations.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { claimsOf } from './package-trie.ts'

/**
 * Which of these SDKs are really reached: a component of the manifest is theirs, the platform starts it; or own code calls, creates or
 * inherits from one of their classes.
 */
export function calledSdks(inspected: InspectedPackage, present: ReadonlySet<string>): Set<string> {
  const called = new Set<string>()
  const owners = new Map<string, readonly string[]>()
  /** Every class of an SDK, by descriptor; remembered, a class is named thousands of times. */
  const mark = (descriptor: string) => {
    let ids = owners.get(descriptor)
    if (!ids) {
      ids = claimsOf(descriptor)
        .map(({ signature }) => signature.id)
        .filter((id) => present.has(id))
      owners.set(descriptor, ids)
    }
    for (const id of ids) called.add(id)
  }
  for (const { name, enabled } of inspected.facts?.components ?? []) if (name && enabled) mark(descriptorOf(name))
  const { program } = inspected
  if (!program) return called
  for (const own of program.classes()) {
    if (called.size === present.size) break
    if (inspected.ownerOf(own.descriptor).kind === 'sdk') continue
    if (own.superclass) mark(own.superclass)
    for (const one of own.interfaces) mark(one)
    for (const method of own.methods) {
      if (method.codeSize === 0) continue
      for (const { callee } of program.callsFrom(method)) mark(callee.slice(0, callee.indexOf('->')))
    }
  }
  return called
}
