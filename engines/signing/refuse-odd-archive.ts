import type { ZipArchive } from '../zip/zip-facts.ts'
import { refusal } from './signing-key.ts'

/**
 * Refuses to sign what readers of archives understand differently, or no device takes: it would be made sound by the way it is
 * written, and the signer would answer for something that was never tested. Throws FormatError `archive` of format `signing`.
 */
export function refuseOddArchive({ notes, entries }: ZipArchive): void {
  // A broken signing block is replaced.
  const odd = notes.find(({ key, refused }) => refused && key !== 'signing-block')
  if (odd) throw refusal('archive', `no device takes this archive: ${odd.detail}`)
  for (const entry of entries) {
    const note = entry.notes.find(({ refused }) => refused)
    if (note) throw refusal('archive', `entry ${JSON.stringify(entry.name)}: ${note.detail}`)
  }
}
