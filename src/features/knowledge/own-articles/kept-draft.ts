import type { OwnContent } from '#contracts/http/own-articles.ts'
import { useSession } from '#src/shared/session/session-store.ts'

/** What an account has not saved yet, in this browser: it survives a closed tab, a crash and the end of a session. */
export type KeptDraft = { based_on: number; at: number; content: OwnContent }

const keyOf = (id: string) => `own-article:${useSession.getState().user?.username ?? ''}:${id}`

export function readKept(id: string): KeptDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null') as KeptDraft | null
    return typeof kept?.at === 'number' && typeof kept.content === 'object' ? kept : null
  } catch {
    return null
  }
}

export function keepDraft(id: string, draft: KeptDraft): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // no room: the browser still asks before the page is left
  }
}

export function dropKept(id: string): void {
  localStorage.removeItem(keyOf(id))
}
