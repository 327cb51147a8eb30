import { create } from 'zustand'

/** Short notices at the lower right (below 640 px: at the top). Shown for `ms` (default 6 s), and while hovered or focused. */
type ToastTone = 'success' | 'error' | 'warn' | 'info'
export type ToastOptions = {
  /** How long it shows; Infinity: until closed. */
  ms?: number
  title?: string
  /** Second, quieter line. */
  detail?: string
  action?: { label: string; onPress: () => void }
}
export type ToastItem = ToastOptions & {
  id: number
  tone: ToastTone
  text: string
  ms: number /** Epoch ms of its showing. */
  at: number
}

export const useToasts = create<{ items: readonly ToastItem[] }>(() => ({ items: [] }))

let last = 0

/** The same words twice in a row show once, with the clock restarted. Returns an id for `toast.close`. */
function show(tone: ToastTone, text: string, options: ToastOptions = {}): number {
  const id = ++last
  useToasts.setState(({ items }) => ({
    items: [
      ...items.filter((one) => one.text !== text || one.tone !== tone),
      { ms: 6000, ...options, id, tone, text, at: Date.now() },
    ].slice(-5),
  }))
  return id
}

export const toast = {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  warn: (text: string, options?: ToastOptions) => show('warn', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  close: (id: number) => useToasts.setState(({ items }) => ({ items: items.filter((one) => one.id !== id) })),
}
