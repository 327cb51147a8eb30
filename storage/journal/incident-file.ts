import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JournalGap, JournalIncident } from './port.ts'

/** So long an incident is shown. */
const INCIDENT_SHOWN_MS = 7 * 86_400_000
const MAX_INCIDENTS = 100

/** The gaps found in the last days, kept in the journal's folder, so that health still names them after a restart. */
export type IncidentFile = {
  list(): JournalIncident[]
  /** Keeps the gap; returns false where it, or a wider one, is known already. A known one is given the number of its events. */
  add(gap: JournalGap): boolean
  /** Resolves once the file holds what was added, or could not be written. */
  saved(): Promise<void>
}

export function openIncidentFile(folder: string, now: () => number): IncidentFile {
  const file = join(folder, 'incidents.json')
  let incidents = readIncidents(file)
  let writing: Promise<void> = Promise.resolve()
  const save = () => {
    const text = JSON.stringify(incidents)
    writing = writing
      .then(() => writeFile(`${file}.new`, text, { mode: 0o600, flush: true }))
      .then(() => rename(`${file}.new`, file))
      .catch(() => {}) // the log has it, and this process shows it
  }
  const list = () => incidents.filter(({ at }) => now() - at < INCIDENT_SHOWN_MS)
  return {
    list,
    add(gap) {
      const { from, to, events } = gap
      const known = incidents.find((one) => one.from <= from && to <= one.to)
      if (known) {
        if (known.events !== undefined || events === undefined || known.from !== from || known.to !== to) return false
        incidents = incidents.map((one) => (one === known ? { ...known, events } : one))
        save()
        return false
      }
      incidents = [...list(), { ...gap, at: now() }].slice(-MAX_INCIDENTS)
      save()
      return true
    },
    saved: () => writing,
  }
}

function readIncidents(file: string): JournalIncident[] {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(found) ? (found as JournalIncident[]) : []
  } catch {
    return [] // none yet, or torn: the log has them
  }
}
