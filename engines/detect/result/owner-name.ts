import { type OwnerKind, UNKNOWN_OWNER } from './scan-result.ts'

/** An owner as one text: null is own code, UNKNOWN_OWNER one that is not known, else the id or prefix of the SDK. */
export function ownerName({ kind, sdk }: { readonly kind: OwnerKind; readonly sdk: string | null }): string | null {
  if (kind === 'unknown') return UNKNOWN_OWNER
  return kind === 'sdk' ? (sdk ?? '') : null
}
