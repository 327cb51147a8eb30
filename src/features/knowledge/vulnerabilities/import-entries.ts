import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { IMPORT_ENTRIES, importVulnerabilities } from '#contracts/http/vulnerabilities.ts'
import { call } from '#src/shared/api/call.ts'

export const MOST_BYTES = 64 * 1024 * 1024

/** What an import came to. */
export type Imported = ResponseOf<typeof importVulnerabilities>

export type LibraryFile = { format: 'nvd' | 'cnnvd'; entries: unknown[] }

/** The entries of an NVD JSON 2.0 file or, as texts, of a CNNVD XML file; undefined for any other file. */
export function entriesOf(text: string): LibraryFile | undefined {
  if (text.trimStart().startsWith('<')) {
    const file = new DOMParser().parseFromString(text, 'text/xml')
    if (file.querySelector('parsererror')) return undefined
    const writer = new XMLSerializer()
    const entries = [...file.getElementsByTagName('entry')].map((one) =>
      // The server reads an element without the name space that a serializer repeats in each.
      writer.serializeToString(one).replace(/^<entry[^>]*>/, '<entry>'),
    )
    return entries.length > 0 ? { format: 'cnnvd', entries } : undefined
  }
  try {
    const file = JSON.parse(text) as { vulnerabilities?: unknown }
    if (!Array.isArray(file?.vulnerabilities) || file.vulnerabilities.length === 0) return undefined
    return { format: 'nvd', entries: file.vulnerabilities }
  } catch {
    return undefined
  }
}

/** Sends the entries in parts that fit a request; what was taken before an error stays taken. */
export async function importEntries(
  { format, entries }: LibraryFile,
  onProgress: (done: number) => void,
): Promise<Imported> {
  const sum: Imported = { added: 0, changed: 0, rejected: 0, kept: 0, problems: [] }
  for (let at = 0; at < entries.length; at += IMPORT_ENTRIES) {
    const part = await call(
      importVulnerabilities,
      { body: { format, entries: entries.slice(at, at + IMPORT_ENTRIES) } },
      { quiet: true },
    )
    sum.added += part.added
    sum.changed += part.changed
    sum.rejected += part.rejected
    sum.kept += part.kept
    sum.problems.push(...part.problems)
    onProgress(Math.min(entries.length, at + IMPORT_ENTRIES))
  }
  return sum
}
