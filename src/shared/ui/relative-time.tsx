import { useSyncExternalStore } from 'react'
import { formatDateTime, relativeTime } from '../format/time.ts'
import { useLanguage } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'

/** One clock for all relative times on the page: a tick every 10 s, none while nothing listens. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 10_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** 'Just now', minutes, hours, 1 day, then a date; the absolute time on hover. `at` in epoch ms. */
export function RelativeTime({ at }: { at: number }) {
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const tick = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, zone)} className="whitespace-nowrap">
      {relativeTime(at, Math.max(tick, at - 20_000), language, zone)}
    </time>
  )
}
