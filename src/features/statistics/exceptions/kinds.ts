import { useLocation } from 'react-router-dom'
import { EXCEPTION_KINDS, type ExceptionKind } from '#domain/exceptions.ts'
import type { Filter, Measure } from '#domain/query.ts'

/** The measure that counts events of a kind. */
export const MEASURE_OF = {
  crash: 'crashes',
  anr: 'anrs',
  exception: 'exceptions',
} as const satisfies Record<ExceptionKind, Measure>

/** The kind that the page's path names: `/exceptions/<kind>` and below. */
export function useKind(): ExceptionKind {
  const part = useLocation().pathname.split('/')[2]
  return EXCEPTION_KINDS.find((kind) => kind === part) ?? 'crash'
}

export const ofKind = (kind: ExceptionKind): Filter => ({ field: 'type', op: 'is', values: [kind] })
export const ofGroup = (group: string): Filter => ({ field: 'group', op: 'is', values: [group] })

/** `IllegalStateException` of `java.lang.IllegalStateException`; other reasons as they are. */
export function shortType(type: string): string {
  return /^[\w$]+(\.[\w$]+)+$/.test(type) ? type.slice(type.lastIndexOf('.') + 1) : type
}
