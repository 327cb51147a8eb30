import type { PartProps } from './report-part.ts'

/** The report's words for the signature: the valid schemes, or why it has no valid one. */
export function signatureWords({
  schemes,
  signature,
}: PartProps['summary']['package']): [key: 'signedWith' | 'partlySigned' | 'unsigned', values?: { schemes: string }] {
  if (schemes.length) return ['signedWith', { schemes: schemes.join(', ') }]
  return [signature === 'partial' ? 'partlySigned' : 'unsigned']
}
