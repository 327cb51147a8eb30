import { sdkById } from '../catalogue/sdk-signatures.ts'
import trackers from '../data/tracker-hosts.json' with { type: 'json' }
import { callHits } from './code.ts'
import { pieceHit } from './pieces.ts'
import { codeRule, type Hit, type Rule, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const HOSTS = new Map(trackers.hosts.flatMap(({ host, sdk }) => [[host, sdk] as const]))

/** The tracker that a host belongs to, by its longest known ending. */
function trackerOf(host: string): { host: string; sdk: string } | undefined {
  let rest = host
  for (;;) {
    const sdk = HOSTS.get(rest)
    if (sdk) return { host: rest, sdk }
    const dot = rest.indexOf('.')
    if (dot < 0) return undefined
    rest = rest.slice(dot + 1)
  }
}

function trackerHits(context: RuleContext): Hit[] {
  const own = context.facts?.package?.value.split('.').slice(0, 2).reverse().join('.') ?? '\0'
  const seen = new Set<string>()
  return context.texts.pieces.flatMap((piece): Hit[] => {
    const host = /https?:\/\/([\w.-]+)/i.exec(piece.text)?.[1]?.toLowerCase()
    const tracker = host && !host.endsWith(own) ? trackerOf(host) : undefined
    if (!host || !tracker || seen.has(host)) return []
    seen.add(host)
    const name = sdkById(tracker.sdk)
    return [
      pieceHit(
        context,
        piece,
        host,
        text(`${name?.zh ?? tracker.sdk} 的域名 ${host}`, `host ${host} of ${name?.en ?? tracker.sdk}`),
      ),
    ]
  })
}

const anywhere = (check: Rule['check']): Rule => ({ needs: ['archive'], check })

export const trafficRules: RuleTable = {
  'android-privacy-tracker-domains': anywhere(trackerHits),

  'android-privacy-overseas-endpoint': anywhere((context) =>
    context.sdks.flatMap((sdk): Hit[] =>
      sdk.personalInfo.length && sdk.country && sdk.country !== 'CN' && sdk.state === 'called'
        ? [
            {
              location: sdk.evidence[0] ?? { entry: '', offset: -1 },
              owner: { kind: 'sdk', sdk: sdk.id },
              key: sdk.id,
              detail: text(
                `${sdk.name.zh}（${sdk.country}）收集个人信息，服务端可能在境外（CDN 与任播不确定）`,
                `${sdk.name.en} (${sdk.country}) collects personal information; its servers may stand abroad (uncertain with CDNs)`,
              ),
            },
          ]
        : [],
    ),
  ),

  'android-clipboard-bg-listener': codeRule((context) => {
    const inputMethod = context.facts?.components.some(
      ({ permission }) => permission === 'android.permission.BIND_INPUT_METHOD',
    )
    return inputMethod ? [] : callHits(context, ['Landroid/content/ClipboardManager;->addPrimaryClipChangedListener('])
  }),
}
