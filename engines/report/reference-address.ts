/** The address of a reference's published text (CWE, MASVS, MASTG, CVE); null for standards on paper and unknown forms. */
export function referenceAddress(id: string): string | null {
  const number = /^CWE-(\d+)$/.exec(id)?.[1]
  if (number) return `https://cwe.mitre.org/data/definitions/${number}.html`
  if (/^MASVS-[A-Z]+-\d+$/.test(id)) return `https://mas.owasp.org/MASVS/controls/${id}/`
  if (/^MASTG-TEST-\d+$/.test(id)) return `https://mas.owasp.org/MASTG/tests/${id}/`
  if (/^CVE-\d{4}-\d{4,}$/.test(id)) return `https://nvd.nist.gov/vuln/detail/${id}`
  return null
}
