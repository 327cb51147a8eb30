/**
 * Aborts with `signal`, or with a TimeoutError after so many milliseconds. AbortSignal.any does not do for it: in Node 20 an
 * AbortSignal.timeout that only such a combination refers to is collected as garbage and then never aborts.
 */
export function timedSignal(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController()
  const end = () => late.abort(new DOMException(`no end within ${ms} ms`, 'TimeoutError'))
  // A share of no time has ended already, whatever else the process does in this moment.
  if (ms <= 0) end()
  else setTimeout(end, ms).unref()
  return AbortSignal.any([signal, late.signal])
}
