import type { XmlElement } from '../../axml/read-axml.ts'
import { attributeText, elementsOf, type XmlLocation } from '../evidence/xml-text.ts'
import type { Text } from '../result/scan-result.ts'
import { effectsOf, unlessIdle } from './effects.ts'
import { evidenceHit, wholeHit, xmlHit } from './hits.ts'
import { type Hit, type ManifestContext, manifestRule, notApplicable, type RuleTable, text } from './rule.ts'

interface NetworkConfig {
  readonly entry: string
  readonly root: XmlElement
}

/** The network security configuration of the application, null where it has none or none that can be read. */
export function networkConfig(context: ManifestContext): NetworkConfig | null {
  const entry = context.facts.networkSecurityConfig?.value
  const root = entry ? context.xml(entry) : null
  return entry && root ? { entry, root } : null
}

const underDebug = (location: XmlLocation): boolean => location.ancestors.some(({ name }) => name === 'debug-overrides')
const LOCAL_HOST = /^(?:localhost|127\.|10\.0\.2\.2$|0\.0\.0\.0$|::1$)/

function elements(config: NetworkConfig | null, name: string): XmlLocation[] {
  return config ? [...elementsOf(config.root)].filter((location) => location.element.name === name) : []
}

/** Does a domain's configuration trust certificates of the package alone? Then no other authority can speak for its hosts. */
export function trustsOnlyBundled({ name, children }: XmlElement): boolean {
  if (name !== 'domain-config' || !children.some((child) => child.name === 'domain')) return false
  const certificates = children
    .filter((child) => child.name === 'trust-anchors')
    .flatMap((anchors) => anchors.children.filter((child) => child.name === 'certificates'))
  return (
    certificates.length > 0 &&
    certificates.every((one) => !['system', 'user', undefined].includes(attributeText(one, 'src')))
  )
}

const NO_NETWORK = notApplicable('应用没有网络权限', 'the application has no permission to use the network')
const talks = ({ facts }: ManifestContext): boolean =>
  facts.permissions.some(({ name }) => name === 'android.permission.INTERNET')

/** Does the default that permits cleartext act on something, and if not, why? */
function clearEffect(context: ManifestContext): readonly [hasEffect: boolean, reason: Text] {
  const { connects, sendsClear } = effectsOf(context)
  return connects
    ? [sendsClear, text('包内服务器地址均使用 TLS', 'every address of a server in the package is one by TLS')]
    : [false, text('未见代码建立连接', 'no code that opens a connection was seen')]
}

export const networkConfigRules: RuleTable = {
  'android-cleartext-allowed': manifestRule((context) => {
    if (!talks(context)) return NO_NETWORK
    const { facts, targetSdk } = context
    const config = networkConfig(context)
    const base = elements(config, 'base-config').find(({ element }) =>
      attributeText(element, 'cleartextTrafficPermitted'),
    )
    const hits: Hit[] = []
    if (config && base && attributeText(base.element, 'cleartextTrafficPermitted') === 'true')
      hits.push(
        xmlHit(
          config.entry,
          base,
          'base',
          text('网络安全配置允许所有明文流量', 'the network security configuration permits all cleartext'),
        ),
      )
    if (!config) {
      const detail = text('允许明文流量', 'cleartext traffic is permitted')
      if (facts.usesCleartextTraffic?.value)
        hits.push(evidenceHit(facts.usesCleartextTraffic.evidence, 'attribute', detail))
      else if (!facts.usesCleartextTraffic && targetSdk < 28)
        hits.push(
          wholeHit(
            context,
            'default',
            ...unlessIdle(
              text(
                `targetSdk ${targetSdk} 默认允许明文流量`,
                `cleartext is permitted by default with target SDK ${targetSdk}`,
              ),
              ...clearEffect(context),
            ),
          ),
        )
    } else if (!base && targetSdk < 28)
      hits.push(
        wholeHit(
          context,
          'default',
          ...unlessIdle(
            text(
              '网络安全配置未说明，默认允许明文',
              'the configuration does not say, and the default permits cleartext',
            ),
            ...clearEffect(context),
          ),
        ),
      )
    for (const location of elements(config, 'domain-config')) {
      if (attributeText(location.element, 'cleartextTrafficPermitted') !== 'true') continue
      const hosts = location.element.children
        .filter(({ name }) => name === 'domain')
        .map(({ texts }) => texts.join('').trim())
        .filter((host) => host && !LOCAL_HOST.test(host))
      if (hosts.length)
        hits.push(
          xmlHit(
            config!.entry,
            location,
            hosts.join(' '),
            text(`允许对 ${hosts.join('、')} 明文传输`, `cleartext is permitted for ${hosts.join(', ')}`),
            'low',
          ),
        )
    }
    return hits
  }),

  'android-nsc-user-ca': manifestRule((context) => {
    if (!talks(context)) return NO_NETWORK
    const config = networkConfig(context)
    const hits = elements(config, 'certificates')
      .filter((location) => attributeText(location.element, 'src') === 'user' && !underDebug(location))
      .map((location) =>
        xmlHit(
          config!.entry,
          location,
          location.path,
          text('信任用户安装的证书', 'certificates added by the user are trusted'),
        ),
      )
    if (!config && context.targetSdk < 24)
      hits.push(
        wholeHit(
          context,
          'default',
          ...unlessIdle(
            text(
              `targetSdk ${context.targetSdk} 默认信任用户证书`,
              `user certificates are trusted by default with target SDK ${context.targetSdk}`,
            ),
            effectsOf(context).opensTls,
            text('未见代码建立 TLS 连接', 'no code that connects by TLS was seen'),
          ),
        ),
      )
    return hits
  }),

  'android-nsc-override-pins': manifestRule((context) => {
    const config = networkConfig(context)
    return elements(config, 'certificates')
      .filter((location) => attributeText(location.element, 'overridePins') === 'true' && !underDebug(location))
      .map((location) =>
        xmlHit(
          config!.entry,
          location,
          location.path,
          text('overridePins 使证书锁定失效', 'overridePins turns pinning off'),
        ),
      )
  }),

  'android-nsc-pin-expired': manifestRule((context) => {
    const config = networkConfig(context)
    return elements(config, 'pin-set').flatMap((location) => {
      const hits: Hit[] = []
      const expiration = attributeText(location.element, 'expiration')
      const time = expiration ? Date.parse(expiration) : Number.NaN
      if (context.date !== null && time < context.date)
        hits.push(
          xmlHit(
            config!.entry,
            location,
            `${location.path} expired`,
            text(`证书锁定已于 ${expiration} 到期`, `pins expired on ${expiration}`),
          ),
        )
      const pins = location.element.children.filter(({ name }) => name === 'pin').length
      if (pins < 2)
        hits.push(
          xmlHit(
            config!.entry,
            location,
            `${location.path} backup`,
            text(`仅有 ${pins} 个锁定值，没有备用`, `${pins} pins, none to fall back on`),
          ),
        )
      return hits
    })
  }),
}
