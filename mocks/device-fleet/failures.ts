import type { FailureDetail } from '#contracts/telemetry/wire.ts'
import { DEFECTS, type Defect } from './defects.ts'
import type { AppProfile } from './demo-apps.ts'
import { isObfuscated, obfuscatedFrame, obfuscatedType } from './obfuscated-builds.ts'
import { type Rng, weighted } from './random.ts'

const pickers = Object.fromEntries(
  (['crash', 'anr', 'exception'] as const).flatMap((kind) =>
    (['android', 'ios'] as const).map((platform) => [
      `${kind}/${platform}`,
      weighted(
        DEFECTS.filter((one) => one.kind === kind && one.platform === platform).map((one) => [one, one.share] as const),
      ),
    ]),
  ),
) as Record<string, (u: number) => Defect>

/** How far the lines of a file have moved in a version. */
export const drift = (version: string) => [...version].reduce((sum, digit) => (sum * 7 + digit.charCodeAt(0)) % 23, 0)
const binaryOf = (app: AppProfile) => (app.package.split('.')[2] ?? 'App').replace(/^./, (first) => first.toUpperCase())

/** `detail` of a failure of the application, as its SDK sends it. `history`: leaves out the trail of the moments before. */
export function failureDetail(
  rng: Rng,
  app: AppProfile,
  version: string,
  kind: Defect['kind'],
  at: number,
  history: boolean,
): FailureDetail {
  const platform = app.platform === 'ios' ? 'ios' : 'android'
  const pick = pickers[`${kind}/${platform}`] as (u: number) => Defect
  return detailOf(rng, pick(rng.next()), app, version, at, history)
}

export function detailOf(
  rng: Rng,
  defect: Defect,
  app: AppProfile,
  version: string,
  at: number,
  history: boolean,
): FailureDetail {
  const message = defect.message.replace('#', String(1000 + rng.int(90_000))).replace('~', app.package)
  const detail: FailureDetail = {
    reason: defect.reason,
    message,
    thread: defect.thread,
    stack: stackOf(defect, app, version, message),
    foreground: rng.next() < 0.8,
    memory: 60 + rng.int(1400),
  }
  if (history) return detail
  let before = 0
  const breadcrumbs = defect.steps.toReversed().map((step) => {
    before += 200 + rng.int(14_000)
    const space = step.indexOf(' ')
    return { at: Math.round(at) - before, kind: step.slice(0, space) as 'page', text: step.slice(space + 1) }
  })
  return { ...detail, orientation: 'portrait', breadcrumbs: breadcrumbs.reverse() }
}

function stackOf(defect: Defect, app: AppProfile, version: string, message: string): string {
  const moved = drift(version)
  const shrunk = isObfuscated(app, version)
  const name = defect.platform === 'ios' ? binaryOf(app) : app.package
  const line = (frame: string) => {
    const text = frame
      .replace(/(?<!~)~(?!~)/g, name)
      .replace(/L(\d+)/g, (_, number: string) => String(Number(number) + moved))
    if (defect.platform === 'ios' || frame.startsWith('#')) return `  ${text}`
    if (frame.startsWith('- ')) return `  ${text}`
    return `\tat ${shrunk && frame.startsWith('~') ? obfuscatedFrame(app, version, text) : text}`
  }
  const type = shrunk ? obfuscatedType(app, version, defect.reason) : defect.reason
  const head =
    defect.kind === 'anr' && defect.platform === 'android'
      ? `"${defect.thread}" prio=5 tid=1 Blocked`
      : defect.reason === 'SIGSEGV'
        ? `signal 11 (SIGSEGV), ${message}\nbacktrace:`
        : `${type}: ${message}`
  const { cause } = defect
  const caused = cause
    ? [`Caused by: ${cause.reason}: ${cause.message}`, ...cause.frames.map(line), '\t... 4 more']
    : []
  return [head, ...defect.frames.map(line), ...caused].join('\n')
}
