import type { NativeCall } from '../../macho/arm64-calls.ts'
import type { Text } from '../result/scan-result.ts'
import { masked } from '../rules/mask.ts'
import { type Hit, notApplicable, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { binaryRule, codeRule, type IosContext, type IosRuleTable, ownBinaries } from './ios-context.ts'
import { callHit, importHit } from './ios-hits.ts'

const WEAK: Readonly<Record<number, string>> = { 1: 'DES', 2: '3DES', 4: 'RC4', 5: 'RC2', 6: 'Blowfish' }
const ECB = 2
const HASHES = ['CC_MD5', 'CC_SHA1', 'CC_MD4', 'CC_MD2', 'CC_MD5_Init', 'CC_SHA1_Init']
const RANDOM = ['rand', 'random', 'srand', 'drand48']
const SMALL_RSA = new Set([512, 768, 1024])

/** Calls that encrypt: operation, algorithm, options, key, … */
const ciphers = (code: BinaryCode): readonly NativeCall[] => [
  ...code.callsTo('CCCrypt'),
  ...code.callsTo('CCCryptorCreate'),
]

/** Functions of minizip that encrypt single blocks, out of which it makes the counter mode of encrypted archives. */
const BLOCKS = /^mz_crypt_aes_/
/** Code of WebSocket libraries that answers the handshake, whose digest RFC 6455 (4.2.2) fixes. */
const HANDSHAKE = /^newSHA1String$|^SRSHA1Hash|WebSocket.*(?:SHA1|[Hh]andshake|[Aa]ccept)|^(?:GCD|SR|PS)?WebSocket$/
/** Names of what protects something: a digest elsewhere mostly names files or finds changes. */
const SECURITY =
  /pass(?:w|code|phrase)|pwd|sign(?!al)|token|auth|log_?in|crypt|secret|credential|verif|hmac|salt|secur/i
/** Says a name around the call so, or is there no name that could? */
function mayProtect(code: BinaryCode, call: NativeCall): boolean {
  const method = code.methodOf(call)
  const names = [method?.owner, method?.selector, code.functionOf(call)].filter((name) => name !== undefined)
  return names.length === 0 || names.some((name) => SECURITY.test(name))
}
const isHandshake = (code: BinaryCode, call: NativeCall): boolean =>
  HANDSHAKE.test(code.functionOf(call) ?? '') || HANDSHAKE.test(code.methodOf(call)?.owner ?? '')

const blockwise = ({ zh, en }: Text): Text =>
  text(
    `${zh}：minizip 的单块加密，用来组成计数器模式`,
    `${en}: single blocks of minizip, which makes its counter mode of them`,
  )

/** Asks each call that encrypts; one whose argument is not decided in straight code is reported as information. */
function cipherRule(
  argument: number,
  found: (value: number) => ReturnType<typeof text> | undefined,
  open: ReturnType<typeof text>,
) {
  return codeRule((context: IosContext) => {
    const users = context.binaries.filter(({ imports }) => imports.has('CCCrypt') || imports.has('CCCryptorCreate'))
    if (!users.length) return notApplicable('未使用 CommonCrypto 加密', 'CommonCrypto encrypts nothing here')
    return users.flatMap((code): Hit[] => {
      const calls = ciphers(code)
      const undecided = calls.filter((call) => call.arguments[argument] === undefined)
      const hits = calls.flatMap((call): Hit[] => {
        const value = call.arguments[argument]
        const detail = value === undefined ? undefined : found(value)
        if (!detail) return []
        return BLOCKS.test(code.functionOf(call) ?? '')
          ? [callHit(code, call, detail.en, blockwise(detail), 'info')]
          : [callHit(code, call, detail.en, detail)]
      })
      const unseen = code.followed ? undecided[0] && callHit(code, undecided[0], 'undecided', open, 'info') : undefined
      return hits.length || !unseen ? hits : [unseen]
    })
  })
}

export const cryptoRules: IosRuleTable = {
  'ios-weak-hash': binaryRule((context) =>
    ownBinaries(context).flatMap((code) => {
      const cache = [...code.classes].some((name) => /^SD(ImageCache|WebImageManager)|^YYDiskCache/.test(name))
      return HASHES.flatMap((name): Hit[] => {
        const level = cache && name.startsWith('CC_MD5') ? ('low' as const) : undefined
        const calls = code.callsTo(name)
        if (calls.length > 0)
          return calls.map((call) =>
            name.startsWith('CC_SHA1') && isHandshake(code, call)
              ? callHit(
                  code,
                  call,
                  name,
                  text(
                    `调用 ${name}：WebSocket 握手的规定（RFC 6455）`,
                    `calls ${name}, as the handshake of WebSocket demands (RFC 6455)`,
                  ),
                  'info',
                )
              : mayProtect(code, call)
                ? callHit(code, call, name, text(`调用 ${name}`, `calls ${name}`), level)
                : callHit(
                    code,
                    call,
                    name,
                    text(`调用 ${name}，未见用于安全的目的`, `calls ${name}; that security depends on it was not seen`),
                    'low',
                  ),
          )
        // Linked libraries bring imports along: without a caller that was seen an import is a note.
        const detail = text(`导入 ${name}，未见调用`, `imports ${name}; no call was seen`)
        const imported = importHit(code, name, detail, 'info')
        return imported ? [imported] : []
      })
    }),
  ),

  'ios-weak-cipher': cipherRule(
    1,
    (value) => (WEAK[value] ? text(`使用 ${WEAK[value]}`, `uses ${WEAK[value]}`) : undefined),
    text('算法不由常量决定', 'the algorithm is not decided by a constant'),
  ),
  'ios-ecb-mode': cipherRule(
    2,
    (value) => (value & ECB ? text('ECB 模式', 'ECB mode') : undefined),
    text('模式不由常量决定', 'the mode is not decided by a constant'),
  ),

  'ios-hardcoded-key': codeRule(({ binaries }) =>
    binaries.flatMap((code) =>
      [
        ...ciphers(code).map((call) => ({ call, at: 3 })),
        ...code.callsTo('CCHmac').map((call) => ({ call, at: 1 })),
      ].flatMap(({ call, at }): Hit[] => {
        const key = code.textOf(call.arguments[at])
        if (!key) return []
        return [
          callHit(
            code,
            call,
            masked(key),
            text(
              `${call.callee} 的密钥为常量 ${masked(key)}`,
              `the key of ${call.callee} is the constant ${masked(key)}`,
            ),
          ),
        ]
      }),
    ),
  ),

  'ios-insecure-random': binaryRule((context) => {
    const game = context.binaries.some(
      ({ binary, classes }) =>
        /^UnityFramework$/.test(binary.name) ||
        [...classes].some((name) => /^(Unity|CCDirector|Cocos|EAGLView$)/.test(name)),
    )
    if (game)
      return {
        verdict: 'pass',
        reason: text('游戏引擎使用普通随机数', 'a game engine, which uses plain random numbers'),
      }
    return ownBinaries(context).flatMap((code) =>
      RANDOM.flatMap((name) => importHit(code, name, text(`导入 ${name}`, `imports ${name}`)) ?? []),
    )
  }),

  'ios-rsa-short-key': codeRule(({ binaries }) =>
    binaries.flatMap((code): Hit[] => {
      if (!code.imports.has('kSecAttrKeyTypeRSA')) return []
      return [...code.callsTo('SecKeyCreateRandomKey'), ...code.callsTo('SecKeyGeneratePair')].flatMap(
        (call): Hit[] => {
          const sizes = code
            .callsIn(call.function)
            .flatMap(({ callee, arguments: values }) =>
              /^numberWith(Int|Integer|UnsignedInteger|UnsignedInt|Long):$/.test(callee) ? (values[2] ?? []) : [],
            )
          const short = sizes.find((size) => SMALL_RSA.has(size))
          return short === undefined
            ? []
            : [callHit(code, call, `RSA ${short}`, text(`RSA ${short} 位`, `RSA with ${short} bits`))]
        },
      )
    }),
  ),
}

export const CRYPTO_CALLS = [
  ...HASHES,
  'CCCrypt',
  'CCCryptorCreate',
  'CCHmac',
  'SecKeyCreateRandomKey',
  'SecKeyGeneratePair',
  'numberWithInt:',
  'numberWithInteger:',
  'numberWithUnsignedInteger:',
  'numberWithUnsignedInt:',
  'numberWithLong:',
]
