import type { Client } from './client.ts'

type Paint = PerformanceEntry & { value?: number; hadRecentInput?: boolean }

/** How the page came up, and how long it did not answer: `web` events of the kinds navigation, paint and longtask. Answers what ends it. */
export function watchPerformance(client: Client, onHidden: (work: () => void) => void): () => void {
  const observers: PerformanceObserver[] = []
  const observe = (type: string, each: (entry: Paint) => void) => {
    // A browser that does not know the type is left alone.
    if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)) return
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(each))
    observer.observe({ type, buffered: true })
    observers.push(observer)
  }
  const ms = Math.round
  let reported = false
  observe('navigation', (entry) => {
    const page = entry as unknown as PerformanceNavigationTiming
    if (reported || page.loadEventEnd === 0) return
    reported = true
    client.event('web', {
      kind: 'navigation',
      page: location.pathname,
      dns: ms(page.domainLookupEnd - page.domainLookupStart),
      connect: ms(page.connectEnd - page.connectStart),
      first_byte: ms(page.responseStart),
      dom: ms(page.domContentLoadedEventEnd),
      load: ms(page.loadEventEnd),
      bytes: page.transferSize,
      via: page.type,
    })
  })
  const paint = { first: 0, largest: 0, shift: 0 }
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') paint.first = ms(startTime)
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    paint.largest = ms(startTime)
  })
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) paint.shift += value
  })
  let tasks = { count: 0, total: 0, longest: 0 }
  observe('longtask', ({ duration }) => {
    tasks.count++
    tasks.total += ms(duration)
    tasks.longest = Math.max(tasks.longest, ms(duration))
  })
  let painted = false
  onHidden(() => {
    const { first, largest, shift } = paint
    if (!painted && first > 0)
      client.event('web', { kind: 'paint', page: location.pathname, first, largest, shift: ms(shift * 1000) / 1000 })
    painted = true
    if (tasks.count > 0) client.event('web', { kind: 'longtask', page: location.pathname, ...tasks })
    tasks = { count: 0, total: 0, longest: 0 }
  })
  return () => {
    for (const one of observers) one.disconnect()
  }
}
