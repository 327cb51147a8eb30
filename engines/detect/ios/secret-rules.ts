import { plistText } from '../../plist/plist-node.ts'
import { affecting, NATIVE_COMPONENTS } from '../dependencies/known-vulnerabilities.ts'
import { entropy, masked } from '../rules/mask.ts'
import { type Hit, text } from '../rules/rule.ts'
import { codeRule, type IosRuleTable, listRule } from './ios-context.ts'
import { binaryHit, plistHit, textHit } from './ios-hits.ts'

const PRIVATE_KEY = /-----BEGIN (RSA |EC )?PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{64,}/
const CLOUD_KEY = /\b(LTAI[0-9A-Za-z]{12,26}|AKID[0-9A-Za-z]{13,40}|(AKIA|ASIA)[0-9A-Z]{16})\b/g
const EXAMPLE = /EXAMPLE|(.)\1{5,}|x{4,}|0123456789|1234567890|abcdef/i
const KEY_FILE = /\.(p12|pfx|pem|key)$/i
const OWN = { kind: 'own', sdk: null } as const

export const secretRules: IosRuleTable = {
  'ios-secret-private-key': listRule(({ inspected, texts }) => {
    const files = inspected.entries
      .filter(({ name, size }) => KEY_FILE.test(name) && size > 0 && size < 2 ** 20)
      .flatMap(({ name }): Hit[] => {
        const content = Buffer.from(inspected.read(name) ?? []).toString('latin1')
        // A PEM file may hold certificates alone.
        if (!/\.(p12|pfx)$/i.test(name) && !PRIVATE_KEY.test(content)) return []
        return [
          {
            location: { entry: name, offset: 0 },
            owner: OWN,
            key: name,
            detail: text(`密钥文件 ${name}`, `key file ${name}`),
          },
        ]
      })
    const listed = new Set(files.map(({ location }) => location.entry))
    const inTexts = texts
      .filter(({ entry, value }) => !listed.has(entry) && PRIVATE_KEY.test(value))
      .map((found) => textHit(found, masked(found.value.slice(0, 200)), text('私钥内容', 'the body of a private key')))
    return [...files, ...inTexts]
  }),

  'ios-secret-cloud-key': listRule(({ texts }) => {
    const seen = new Set<string>()
    return texts.flatMap((found) =>
      [...found.value.matchAll(CLOUD_KEY)].flatMap(([key]): Hit[] => {
        if (EXAMPLE.test(key) || entropy(key) < 3 || seen.has(key)) return []
        seen.add(key)
        const hidden = masked(key)
        return [textHit(found, hidden, text(`云服务密钥 ${hidden}`, `cloud credential ${hidden}`))]
      }),
    )
  }),

  'ios-sdk-known-vuln': codeRule(({ binaries }) =>
    binaries.flatMap((code): Hit[] => {
      const seen = new Set<string>()
      const byText = code.strings.flatMap(({ value, offset }) =>
        NATIVE_COMPONENTS.flatMap(({ component, library, pattern, ranges }): Hit[] => {
          // A bare number is a version of it only in a binary of its name.
          if (library && !library.test(code.binary.name)) return []
          const version = pattern.exec(value)?.[1]
          const cves = version ? affecting(ranges, version) : []
          if (!version || !cves.length || seen.has(component)) return []
          seen.add(component)
          return [
            binaryHit(
              code,
              offset,
              `${component} ${cves.join(' ')}`,
              text(`${component} ${version}：${cves.join('、')}`, `${component} ${version}: ${cves.join(', ')}`),
            ),
          ]
        }),
      )
      const version = plistText(code.binary.info?.node, 'CFBundleShortVersionString')
      const known = NATIVE_COMPONENTS.find(
        ({ component }) => component.toLowerCase() === code.binary.name.toLowerCase(),
      )
      const cves = version && known && !seen.has(known.component) ? affecting(known.ranges, version) : []
      const byBundle =
        cves.length && code.binary.info
          ? [
              plistHit(
                code.binary.info,
                ['CFBundleShortVersionString'],
                `${known!.component} ${cves.join(' ')}`,
                text(
                  `${known!.component} ${version}：${cves.join('、')}`,
                  `${known!.component} ${version}: ${cves.join(', ')}`,
                ),
              ),
            ]
          : []
      return [...byText, ...byBundle]
    }),
  ),
}
