import type { Vulnerability } from './vulnerability.ts'

/**
 * An entry with what another source says of the same number. The newer reading of one source replaces the older one; of two sources, Chinese
 * texts come from CNNVD, and score, level, ranges and English texts from NVD, which publishes them.
 */
export function mergeEntries(stored: Vulnerability, fresh: Vulnerability): Vulnerability {
  const isOfSource = (one: Vulnerability, source: string) => one.confirmedBy.includes(source)
  if (stored.confirmedBy.every((source) => isOfSource(fresh, source))) return fresh
  const [nvd, cnnvd] = isOfSource(fresh, 'NVD') ? [fresh, stored] : [stored, fresh]
  const both = (key: 'name' | 'introduction' | 'advice') => ({ zh: cnnvd[key].zh || nvd[key].zh, en: nvd[key].en })
  return {
    ...nvd,
    name: both('name'),
    introduction: both('introduction'),
    advice: both('advice'),
    source: [...new Set([nvd.source, cnnvd.source].flatMap((one) => one.split(', ')))].sort().reverse().join(', '),
    references: [...new Set([...nvd.references, ...cnnvd.references])].slice(0, 30),
    released: nvd.released ?? cnnvd.released,
    updated:
      [nvd.updated, cnnvd.updated]
        .filter((day) => day !== null)
        .sort()
        .at(-1) ?? null,
    confirmedBy: [...new Set([...nvd.confirmedBy, ...cnnvd.confirmedBy])],
    ranges: nvd.ranges?.length ? nvd.ranges : (cnnvd.ranges ?? []),
  }
}
