import type { LicenceTerms } from '#engines/licence/licence-code.ts'

const WIDTH = 76

/** A licence as a file: what it says as comments, and the code in lines that mail programs leave alone. */
export function licenceFile(terms: LicenceTerms, code: string): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return [
    '# AppWarden licence',
    `# ${terms.id}  ${terms.customer}`,
    `# ${terms.product}  ${terms.macs.join(' ')}`,
    `# ${day(terms.not_before)} to ${day(terms.not_after)} (UTC)`,
    ...(code.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []),
    '',
  ].join('\n')
}
