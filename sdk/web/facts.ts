import type { Facts } from './client.ts'
import { clip } from './clip.ts'

type Hints = { brands?: { brand: string; version: string }[]; platform?: string }

const BROWSERS = [/(Edg)\/(\d+)/, /(OPR)\/(\d+)/, /(Firefox)\/(\d+)/, /(MicroMessenger)\/(\d+)/, /(Chrome)\/(\d+)/]
const SYSTEMS: [RegExp, string][] = [
  [/Android (\d+)/, 'Android'],
  [/OS (\d+)[_\d]* like Mac/, 'iOS'],
  [/HarmonyOS (\d+)?/, 'HarmonyOS'],
  [/Windows NT (\d+)/, 'Windows'],
  [/Mac OS X (\d+)/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What the browser says about itself, in coarse words: no fingerprint. */
export function browserFacts(told: { version?: string; channel?: string }): Facts {
  const agent = navigator.userAgent
  const { connection, userAgentData } = navigator as { connection?: { effectiveType?: string }; userAgentData?: Hints }
  const browser = BROWSERS.map((one) => one.exec(agent)).find(Boolean) ?? /(Safari)\/(\d+)/.exec(agent)
  const [pattern, name] = SYSTEMS.find(([one]) => one.test(agent)) ?? [/$/, userAgentData?.platform ?? '']
  return {
    platform: 'web',
    app_version: clip(told.version ?? ''),
    channel: clip(told.channel ?? ''),
    os: clip(`${name} ${pattern.exec(agent)?.[1] ?? ''}`.trim()),
    model: browser ? `${browser[1]} ${browser[2]}` : '',
    network: connection?.effectiveType ?? '',
    package_name: clip(location.hostname),
  }
}
