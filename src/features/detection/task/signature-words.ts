import type { PartProps } from './report-part.ts'

/** What a report says of the signature: the schemes that hold, or why there is none. */
export function signatureWords({
  schemes,
  signature,
}: PartProps['summary']['package']): [key: 'signedWith' | 'partlySigned' | 'unsigned', values?: { schemes: string }] {
  if (schemes.length) return ['signedWith', { schemes: schemes.join(', ') }]
  return [signature === 'partial' ? 'partlySigned' : 'unsigned']
}
