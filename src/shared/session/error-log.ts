import { create } from 'zustand'

/** Uncaught interface errors, kept in this browser (local storage `errorLogs`, newest first, at most 50) for the error log dialog. */
export type ErrorEntry = { at: number; message: string; stack: string; path: string; count: number }

const KEY = 'errorLogs'
const MOST = 50

function read(): readonly ErrorEntry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(one: unknown): one is ErrorEntry {
  return (
    typeof one === 'object' &&
    one !== null &&
    'at' in one &&
    typeof one.at === 'number' &&
    'message' in one &&
    typeof one.message === 'string' &&
    'stack' in one &&
    typeof one.stack === 'string' &&
    'path' in one &&
    typeof one.path === 'string' &&
    'count' in one &&
    typeof one.count === 'number'
  )
}

export const useErrorLog = create<{ entries: readonly ErrorEntry[] }>(() => ({ entries: read() }))

/** Writes one error down; the same error in the same place counts up instead of filling the list. */
export function logError(error: unknown, path: string = location.pathname): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = error instanceof Error ? (error.stack ?? '').slice(0, 4000) : ''
  const { entries } = useErrorLog.getState()
  const before = entries.find((one) => one.message === message && one.path === path)
  const entry = { at: Date.now(), message: message.slice(0, 1000), stack, path, count: (before?.count ?? 0) + 1 }
  keep([entry, ...entries.filter((one) => one !== before)].slice(0, MOST))
}

export function clearErrorLog(): void {
  keep([])
}

function keep(entries: readonly ErrorEntry[]): void {
  useErrorLog.setState({ entries })
  try {
    localStorage.setItem(KEY, JSON.stringify(entries))
  } catch {
    // Storage is full or closed: the list of this page load still shows it.
  }
}

/** Errors that nothing caught. Called once. ResizeObserver's loop notice is no error. */
export function catchUncaughtErrors(): void {
  addEventListener('error', (event) => {
    if (!event.message.startsWith('ResizeObserver loop')) logError(event.error ?? event.message)
  })
  addEventListener('unhandledrejection', (event) => logError(event.reason))
}
