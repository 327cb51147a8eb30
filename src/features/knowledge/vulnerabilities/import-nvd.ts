import { IMPORT_ENTRIES, importVulnerabilities } from '#contracts/http/vulnerabilities.ts'
import { call } from '#src/shared/api/call.ts'

export const MOST_BYTES = 64 * 1024 * 1024

/** What an import came to. */
export type Imported = { added: number; changed: number; kept: number; problems: { number: string; problem: string }[] }

/** The elements of an NVD JSON 2.0 file; undefined for any other file. */
export function entriesOf(text: string): unknown[] | undefined {
  try {
    const file = JSON.parse(text) as { vulnerabilities?: unknown }
    return Array.isArray(file?.vulnerabilities) && file.vulnerabilities.length > 0 ? file.vulnerabilities : undefined
  } catch {
    return undefined
  }
}

/** Sends the entries in parts that fit a request; what was taken before an error stays taken. */
export async function importEntries(
  entries: readonly unknown[],
  onProgress: (done: number) => void,
): Promise<Imported> {
  const sum: Imported = { added: 0, changed: 0, kept: 0, problems: [] }
  for (let at = 0; at < entries.length; at += IMPORT_ENTRIES) {
    const part = await call(
      importVulnerabilities,
      { body: { entries: entries.slice(at, at + IMPORT_ENTRIES) } },
      { quiet: true },
    )
    sum.added += part.added
    sum.changed += part.changed
    sum.kept += part.kept
    sum.problems.push(...part.problems)
    onProgress(Math.min(entries.length, at + IMPORT_ENTRIES))
  }
  return sum
}
