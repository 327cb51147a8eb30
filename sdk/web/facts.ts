import type { Facts } from './client.ts'
import { clip } from './clip.ts'

/** What the browser says about itself, in coarse words: no fingerprint. */
export function browserFacts(declared: { version?: string; channel?: string }): Facts {
  const agent = navigator.userAgent
  const { connection } = navigator as { connection?: { effectiveType?: string } }
  // Edge, Opera and WeChat call themselves Chrome too; Safari's version has another name.
  const browser = /(Edg|OPR|MicroMessenger)\/\d+/.exec(agent) ?? /(Firefox|Chrome|Version)\/\d+/.exec(agent)
  const system = /(Android|HarmonyOS|Windows NT|iPhone OS|CPU OS|Mac OS X|Linux(?!; (U; )?Android))( \d+)?/.exec(agent)
  return {
    platform: 'web',
    app_version: clip(declared.version ?? ''),
    channel: clip(declared.channel ?? ''),
    os: system?.[0] ?? '',
    model: browser?.[0].replace('Version', 'Safari').replace('/', ' ') ?? '',
    network: connection?.effectiveType ?? '',
    package_name: clip(location.hostname),
  }
}
