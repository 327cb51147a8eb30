import { fingerprintOf, identifyStack, type StackIdentity } from './fingerprint.ts'
import { readStack } from './read-stack.ts'
import type { Stack } from './stack.ts'

/** Where a failure happened, as far as its group depends on it. */
type FailureOrigin = { app: number; type: number; version: string; packageName: string }

/** Groups never hold failures of two applications or kinds. */
const saltOf = ({ app, type }: FailureOrigin) => `${app}/${type}`

/** The group of a failure by its `detail` as sent: of its stack, without one of its reason; '' where there is neither. */
export function failureGroup(detail: unknown, origin: FailureOrigin): string {
  const { stack, reason } = (detail ?? {}) as { stack?: unknown; reason?: unknown }
  const why = typeof reason === 'string' ? reason : ''
  if (typeof stack === 'string') {
    const read = readStack(stack)
    if (read.segments.length > 0) return identify(read, why, origin).fingerprint
  }
  return why === '' ? '' : fingerprintOf(saltOf(origin), why)
}

/** The identity of a stack that was read, or retraced after it was read. */
export function identify(stack: Stack, reason: string, origin: FailureOrigin): StackIdentity {
  const { version, packageName } = origin
  return identifyStack(stack, { salt: saltOf(origin), version, packageName, reason })
}
