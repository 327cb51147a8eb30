import { type ToastItem, toast, useToasts } from '#src/shared/ui/toast.ts'

/** Notices that stand when the page reloads stand after it too, for the rest of their time: a reload ends a session, not its message. */
const KEY = 'notices'
const AT_LEAST_MS = 2000

type SavedNotice = Pick<ToastItem, 'tone' | 'text' | 'ms'>

export function reloadKeepingNotices(): void {
  const now = Date.now()
  const kept: SavedNotice[] = useToasts.getState().items.map(({ tone, text, ms, at }) => ({
    tone,
    text,
    ms: Math.max(AT_LEAST_MS, Math.min(ms, 10_000) - (now - at)),
  }))
  sessionStorage.setItem(KEY, JSON.stringify(kept))
  location.reload()
}

export function restoreNotices(): void {
  const text = sessionStorage.getItem(KEY)
  if (!text) return
  sessionStorage.removeItem(KEY)
  for (const { tone, text: words, ms } of JSON.parse(text) as SavedNotice[]) toast[tone](words, { ms })
}
