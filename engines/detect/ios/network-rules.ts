import { plistAt, plistFlag, plistText } from '../../plist/plist-node.ts'
import { olderThan } from '../dependencies/versions.ts'
import { isFinance } from '../rules/application-type.ts'
import { type Hit, notApplicable, notAssessed, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { codeRule, type IosContext, type IosRuleTable, listRule } from './ios-context.ts'
import { appHit, binaryHit, callHit, plistHit, textHit } from './ios-hits.ts'

const ATS = 'NSAppTransportSecurity'
/** Keys that are above NSAllowsArbitraryLoads since iOS 10. */
const OVERRIDING = ['NSAllowsArbitraryLoadsInWebContent', 'NSAllowsArbitraryLoadsForMedia', 'NSAllowsLocalNetworking']
const LOCAL =
  /^(localhost|.*\.local|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|127\.[\d.]+|169\.254\.[\d.]+)$/i
const HTTP = /^http:\/\/((?!localhost|127\.)[\w.-]+\.[a-z]{2,})(?=[:/?#]|$)/i
const NO_CONNECTION =
  /^(www\.w3\.org|(www\.)?apple\.com|.*\.apple\.com|schemas\..*|ocsp\d*\..*|crl\d*\..*|.*\.(verisign|digicert|symcb|symcd|entrust)\.(com|net)|(www\.)?(apache|gnu|opensource|mozilla|unlicense|creativecommons)\.org|purl\.org|ns\.adobe\.com|www\.unicode\.org|json-schema\.org|xmlpull\.org)$/i
const TRUST_DELEGATES = new Set([
  'URLSession:didReceiveChallenge:completionHandler:',
  'URLSession:task:didReceiveChallenge:completionHandler:',
  'connection:willSendRequestForAuthenticationChallenge:',
])
const TRUSTING = new Set(['credentialForTrust:', 'initWithTrust:'])
/** Leaves the decision to the system. */
const DEFAULT_HANDLING = 'performDefaultHandlingForAuthenticationChallenge:'
/**
 * Classes of libraries that trust on an option alone, which is off, and leave other servers to the system. In other code the condition is
 * usually the kind of challenge, and then every server is trusted.
 */
const TRUST_ON_OPTION = new Set(['CDVFileTransferDelegate', 'YYWebImageOperation'])
const EVALUATING = /^SecTrustEvaluate|evaluateServerTrust|^SecTrustGetTrustResult$/

/** A flag of App Transport Security that is true. */
const atsFlag = (key: string, detail: ReturnType<typeof text>) =>
  listRule(({ app }) => (plistFlag(app.info.node, ATS, key) ? [plistHit(app.info, [ATS, key], key, detail)] : []))

/** One hit a domain whose exception fits. */
function exceptions(context: IosContext, found: (domain: string, path: readonly string[]) => Hit | undefined): Hit[] {
  const domains = plistAt(context.app.info.node, ATS, 'NSExceptionDomains')
  if (domains?.type !== 'dictionary') return []
  return [...domains.entries.keys()].flatMap((domain) => found(domain, [ATS, 'NSExceptionDomains', domain]) ?? [])
}

const CONNECTING =
  /^(OBJC_CLASS_\$_)?(NSURLSession|NSURLConnection|WKWebView|UIWebView|AFHTTPSessionManager|CFReadStreamCreateForHTTPRequest|CFStreamCreatePairWithSocketToHost|nw_connection_create|SSLHandshake|curl_easy_perform)$|Alamofire/

const connects = ({ imports, classes, image }: BinaryCode): boolean =>
  [...imports.keys(), ...classes].some((name) => CONNECTING.test(name)) ||
  image.dylibs.some(({ name }) => CONNECTING.test(name))

/** Code that allows any certificate where its function certainly answers no: `mov w0, #0`. */
const answersNo = (code: BinaryCode, address: number): boolean => code.followed && code.wordAt(address) === 0x52800000

export const networkRules: IosRuleTable = {
  'ios-ats-arbitrary-loads': listRule(({ app }) => {
    if (!plistFlag(app.info.node, ATS, 'NSAllowsArbitraryLoads')) return []
    const over = OVERRIDING.filter((key) => plistAt(app.info.node, ATS, key))
    if (over.length)
      return { verdict: 'pass', reason: text(`被 ${over.join('、')} 取代`, `overridden by ${over.join(', ')}`) }
    return [
      plistHit(
        app.info,
        [ATS, 'NSAllowsArbitraryLoads'],
        'arbitrary loads',
        text('允许任意明文连接', 'any cleartext connection is allowed'),
      ),
    ]
  }),
  'ios-ats-web-content': atsFlag(
    'NSAllowsArbitraryLoadsInWebContent',
    text('网页内容允许任意连接', 'web content may load from anywhere'),
  ),
  'ios-ats-media': atsFlag('NSAllowsArbitraryLoadsForMedia', text('媒体允许任意连接', 'media may load from anywhere')),

  'ios-ats-exception-http': listRule((context) =>
    exceptions(context, (domain, path) => {
      const keys = ['NSExceptionAllowsInsecureHTTPLoads', 'NSTemporaryExceptionAllowsInsecureHTTPLoads']
      const key = keys.find((name) => plistFlag(context.app.info.node, ...path, name))
      if (!key || LOCAL.test(domain)) return undefined
      const wide = plistFlag(context.app.info.node, ...path, 'NSIncludesSubdomains')
      return plistHit(
        context.app.info,
        [...path, key],
        domain,
        text(
          `${domain}${wide ? '（含子域）' : ''} 允许 HTTP`,
          `HTTP is allowed for ${domain}${wide ? ' and its subdomains' : ''}`,
        ),
      )
    }),
  ),
  'ios-ats-min-tls': listRule((context) =>
    exceptions(context, (domain, path) => {
      const version = plistText(context.app.info.node, ...path, 'NSExceptionMinimumTLSVersion')
      if (version !== 'TLSv1.0' && version !== 'TLSv1.1') return undefined
      return plistHit(
        context.app.info,
        [...path, 'NSExceptionMinimumTLSVersion'],
        `${domain} ${version}`,
        text(`${domain} 允许 ${version}`, `${version} is allowed for ${domain}`),
      )
    }),
  ),
  'ios-ats-no-forward-secrecy': listRule((context) =>
    exceptions(context, (domain, path) => {
      if (plistFlag(context.app.info.node, ...path, 'NSExceptionRequiresForwardSecrecy') !== false) return undefined
      return plistHit(
        context.app.info,
        [...path, 'NSExceptionRequiresForwardSecrecy'],
        domain,
        text(`${domain} 不要求前向保密`, `${domain} needs no forward secrecy`),
      )
    }),
  ),

  'ios-tls-allow-any-cert': codeRule(({ binaries }) =>
    binaries.flatMap((code): Hit[] => {
      const overridden = code.objc.methods
        .filter(
          ({ selector, owner, code: at }) =>
            selector === 'allowsAnyHTTPSCertificateForHost:' &&
            owner.startsWith('NSURLRequest(') &&
            !answersNo(code, at),
        )
        .map((method) => ({
          ...binaryHit(
            code,
            -1,
            'category',
            text(`分类 ${method.owner} 接受任意证书`, `category ${method.owner} accepts any certificate`),
          ),
          place: { entry: code.entry, offset: -1, class: method.owner, method: `+${method.selector}` },
        }))
      const at = code.objc.selectors.get('setAllowsAnyHTTPSCertificate:forHost:')
      const sent =
        at === undefined
          ? []
          : [
              binaryHit(
                code,
                at,
                'selector',
                text('使用 setAllowsAnyHTTPSCertificate:forHost:', 'uses setAllowsAnyHTTPSCertificate:forHost:'),
              ),
            ]
      return [...overridden, ...sent]
    }),
  ),

  'ios-tls-challenge-bypass': codeRule((context) => {
    const asked = context.binaries.filter(({ objc }) =>
      objc.methods.some(({ selector }) => TRUST_DELEGATES.has(selector)),
    )
    if (asked.length && !asked.some(({ followed }) => followed))
      return notAssessed('没有可跟踪的 arm64 代码', 'there is no arm64 code that can be followed')
    return asked.flatMap((code) =>
      code.objc.methods
        .filter(({ selector }) => TRUST_DELEGATES.has(selector))
        .flatMap((method): Hit[] => {
          const calls = code.callsIn(method.code)
          const trusting = calls.find(({ callee }) => TRUSTING.has(callee))
          if (!trusting || calls.some(({ callee }) => EVALUATING.test(callee))) return []
          const isOption = TRUST_ON_OPTION.has(method.owner) && calls.some(({ callee }) => callee === DEFAULT_HANDLING)
          return [
            callHit(
              code,
              trusting,
              method.selector,
              isOption
                ? text(
                    `${method.owner} 仅在打开某个选项时未校验服务器证书即信任，否则按系统默认处理`,
                    `${method.owner} trusts the server without evaluating its certificate where an option is on, and leaves it to the system otherwise`,
                  )
                : text(
                    `${method.owner} 未校验服务器证书即信任`,
                    `${method.owner} trusts the server without evaluating its certificate`,
                  ),
              isOption ? 'low' : undefined,
            ),
          ]
        }),
    )
  }),

  'ios-afnetworking-invalid-cert': codeRule(({ binaries }) =>
    binaries.flatMap((code) =>
      (
        [
          ['setAllowInvalidCertificates:', 1],
          ['setValidatesDomainName:', 0],
        ] as const
      ).flatMap(([selector, value]) =>
        code.callsTo(selector).flatMap((call): Hit[] => {
          const owner = code.methodOf(call)?.owner ?? ''
          if (call.arguments[2] !== value || owner === 'AFSecurityPolicy') return []
          return [
            callHit(
              code,
              call,
              selector,
              text(`${selector} ${value ? 'YES' : 'NO'}`, `${selector} ${value ? 'YES' : 'NO'}`),
              owner.includes('Debug') ? 'middle' : undefined,
            ),
          ]
        }),
      ),
    ),
  ),

  'ios-afnetworking-old': codeRule(({ binaries, app }) => {
    const user = binaries.find(({ objc }) => objc.classes.some(({ name }) => name === 'AFSecurityPolicy'))
    if (!user) return notApplicable('未使用 AFNetworking', 'AFNetworking is not used')
    const framework = binaries.find(({ binary }) => binary.name === 'AFNetworking')
    const version = plistText(framework?.binary.info?.node, 'CFBundleShortVersionString')
    if (!framework || !version) return notAssessed('静态链接，版本未知', 'linked statically: the version is unknown')
    if (!olderThan(version, '2.5.4')) return []
    return [
      plistHit(
        framework.binary.info ?? app.info,
        ['CFBundleShortVersionString'],
        version,
        text(`AFNetworking ${version}`, `AFNetworking ${version}`),
      ),
    ]
  }),

  'ios-no-cert-pinning': codeRule((context) => {
    const { binaries, app } = context
    const pinned =
      plistAt(app.info.node, ATS, 'NSPinnedDomains') !== undefined ||
      binaries.some(
        (code) =>
          [...code.classes].some((name) =>
            /^(TrustKit|TSKPinningValidator)$|ServerTrustManager|PinnedCertificatesTrust|PublicKeysTrust/.test(name),
          ) ||
          ((code.imports.has('SecTrustGetCertificateAtIndex') || code.imports.has('SecTrustCopyCertificateChain')) &&
            code.imports.has('SecCertificateCopyData')) ||
          [
            ...code.callsTo('policyWithPinningMode:'),
            ...code.callsTo('policyWithPinningMode:withPinnedCertificates:'),
            ...code.callsTo('setSSLPinningMode:'),
          ].some(({ arguments: [, , mode] }) => mode === 1 || mode === 2) ||
          code.strings.some(({ value }) => /ServerTrustManager|TSKPublicKeyHashes/.test(value)),
      )
    if (pinned) return []
    if (!binaries.some(connects)) return notApplicable('未发现网络连接', 'it makes no connections')
    return [
      appHit(
        context,
        'no pinning',
        text('未发现证书固定', 'no certificate pinning was found'),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'ios-http-url': codeRule((context) => {
    const seen = new Set<string>()
    return context.texts.flatMap((found): Hit[] => {
      const host = HTTP.exec(found.value)?.[1]?.toLowerCase()
      const key = `${host} ${found.owner?.sdk ?? ''}`
      if (!host || NO_CONNECTION.test(host) || LOCAL.test(host) || seen.has(key)) return []
      seen.add(key)
      return [textHit(found, host, text(`明文地址 ${host}`, `cleartext address ${host}`))]
    })
  }),
}

/** Calls that these rules look at. */
export const NETWORK_CALLS = [
  ...TRUSTING,
  DEFAULT_HANDLING,
  'SecTrustEvaluate',
  'SecTrustEvaluateWithError',
  'SecTrustEvaluateAsync',
  'SecTrustEvaluateAsyncWithError',
  'SecTrustGetTrustResult',
  'evaluateServerTrust:forDomain:',
  'evaluateServerTrust:',
  'setAllowInvalidCertificates:',
  'setValidatesDomainName:',
  'policyWithPinningMode:',
  'policyWithPinningMode:withPinnedCertificates:',
  'setSSLPinningMode:',
]
