import { parseSubject, type Subject, subjectText } from '#domain/trail.ts'
import { useSession } from '#src/shared/session/session-store.ts'

/** The last traces that this account opened in this browser: hashes of devices and users, never an address. */
const MOST = 8
const keyOf = () => `recent-traces:${useSession.getState().user?.username ?? ''}`

export function recentTraces(): Subject[] {
  const stored: unknown = read()
  if (!Array.isArray(stored)) return []
  return stored.map((one) => parseSubject(typeof one === 'string' ? one : null)).filter((one) => one !== null)
}

export function rememberTrace(subject: Subject): void {
  if (subject.kind === 'address') return
  const texts = [subject, ...recentTraces()].map(subjectText)
  localStorage.setItem(keyOf(), JSON.stringify([...new Set(texts)].slice(0, MOST)))
}

function read(): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
  } catch {
    return []
  }
}
