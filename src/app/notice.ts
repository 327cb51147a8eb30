import { toast } from '#src/shared/ui/toast.ts'

/** A notice that must outlive a reload of the page. */
const KEY = 'notice'

export function noticeAfterReload(text: string): void {
  sessionStorage.setItem(KEY, text)
}

export function showKeptNotice(): void {
  const text = sessionStorage.getItem(KEY)
  if (!text) return
  sessionStorage.removeItem(KEY)
  toast.warn(text)
}
