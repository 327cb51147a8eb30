import { useCallback, useEffect, useState } from 'react'
import { startOfDay } from '#domain/time-range.ts'
import { usePlatform } from '../../../shared/session/platform-store.ts'
import { useEscapeLayer } from '../../../shared/ui/use-escape-layer.ts'

const IDLE_MS = 5000
const SHIFT_MS = 60_000
const RELOAD_HOUR = 4
const HOUR = 3_600_000
/** Offsets of the picture, minute by minute, in px: avoids burn-in. */
const SHIFTS = [
  [0, 0],
  [1, 0],
  [2, 1],
  [1, 2],
  [0, 1],
  [-1, 1],
  [-2, 0],
  [-1, -1],
  [0, -2],
  [1, -1],
] as const

/** Behaviour of an unattended wall: hidden cursor, slowly shifted picture, a page reload every night at four. */
export function useWallMode({ on, token, leave }: { on: boolean; token: boolean; leave: () => void }): {
  idle: boolean
  shift: readonly [x: number, y: number]
  toggleFullscreen: () => void
} {
  const zone = usePlatform((state) => state.zone)
  const [idle, setIdle] = useState(false)
  const [step, setStep] = useState(0)
  useEscapeLayer(on && !token, leave)

  useEffect(() => {
    if (!on) return
    let timer = setTimeout(() => setIdle(true), IDLE_MS)
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), IDLE_MS)
    }
    window.addEventListener('pointermove', wake)
    const shifting = setInterval(() => setStep((before) => (before + 1) % SHIFTS.length), SHIFT_MS)
    const now = Date.now()
    const four = startOfDay(now, zone) + RELOAD_HOUR * HOUR
    const due = four > now ? four : startOfDay(now + 24 * HOUR, zone) + RELOAD_HOUR * HOUR
    const reload = setTimeout(() => location.reload(), due - now)
    return () => {
      clearTimeout(timer)
      clearTimeout(reload)
      clearInterval(shifting)
      window.removeEventListener('pointermove', wake)
      setIdle(false)
    }
  }, [on, zone])

  const toggleFullscreen = useCallback(() => {
    const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()
    // A browser that refuses leaves the window as it is; nothing depends on it.
    void done?.catch(() => undefined)
  }, [])
  return { idle: on && idle, shift: on ? (SHIFTS[step] ?? [0, 0]) : [0, 0], toggleFullscreen }
}
