import type { CallSite, MethodFacts } from '../../dex/program.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import {
  callHits,
  callKey,
  callsIn,
  callsTo,
  callText,
  classCalls,
  isOwn,
  numberArgument,
  parameterTypes,
  stringArgument,
} from './code.ts'
import { constantIn, handedValues } from './constants.ts'
import { codeHit } from './hits.ts'
import { masked } from './mask.ts'
import { type CodeContext, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { madeBy, passes, traceArgument } from './trace.ts'

const CIPHER = 'Ljavax/crypto/Cipher;->getInstance('
const PBE = 'Ljavax/crypto/spec/PBEKeySpec;-><init>('
const KEY_BUILDER = 'Landroid/security/keystore/KeyGenParameterSpec$Builder;'

/** A class whose name says that what it makes must not be guessed. */
const MAKES_SECRETS = /(?:crypt|cipher|keygen|password|secret|tokens?|otp)[A-Za-z]*(?:\$[\w$]*)?;$/i

/** In code of libraries the developer can only update: reported, not counted. */
const inLibrary = (context: CodeContext, call: CallSite): FindingLevel | undefined =>
  isOwn(context, call) ? undefined : 'info'

/** Constants that fit a name argument, written at the call or handed over by a caller. `level` judges the location where the name is written. */
function named(
  context: CodeContext,
  pattern: string,
  fits: RegExp,
  level: (name: string, call: CallSite) => FindingLevel | undefined,
): Hit[] {
  return callsTo(context, pattern).flatMap((call) =>
    handedValues(context.program, call, 1).flatMap(({ value, from }): Hit[] =>
      value.kind === 'string' && fits.test(value.value)
        ? [handedHit(call, from, value.value, level(value.value, from))]
        : [],
    ),
  )
}

/** Constants in an argument that must not be one, written at the call or handed over by a caller. */
function constantArgument(
  context: CodeContext,
  pattern: string,
  n: number,
  level: (call: CallSite) => FindingLevel | undefined | false,
): Hit[] {
  return callsTo(context, pattern).flatMap((call) =>
    handedValues(context.program, call, n).flatMap(({ value, from }): Hit[] => {
      const constant = constantIn(context, value)
      const found = constant === undefined ? false : level(from)
      return found === false ? [] : [handedHit(call, from, masked(constant ?? ''), found)]
    }),
  )
}

/** At the location where the constant is written. */
function handedHit(call: CallSite, from: CallSite, what: string, level: FindingLevel | undefined): Hit {
  const { zh, en } = callText(call, what)
  const detail = from === call ? text(zh, en) : text(`${zh}（由此处传入）`, `${en} (handed over here)`)
  return codeHit(from, callKey(call, what), detail, level)
}

export const cryptoRules: RuleTable = {
  'android-crypto-weak-cipher': codeRule((context) => [
    ...named(
      context,
      CIPHER,
      /^(?:DES|DESede|TripleDES|RC2|RC4|ARC4|ARCFOUR|Blowfish)(?:\/|$)/i,
      (name, call) => inLibrary(context, call) ?? (/^(?:DESede|TripleDES)/i.test(name) ? 'middle' : undefined),
    ),
    ...callHits(context, ['Ljavax/crypto/spec/DESKeySpec;-><init>('], (call) => ({
      what: 'DES',
      ...(!isOwn(context, call) && { level: 'info' as const }),
    })),
  ]),

  'android-crypto-ecb': codeRule((context) =>
    named(context, CIPHER, /^(?:AES|SM4|DES|DESede)(?:\/ECB(?:\/.*)?)?$/i, (_, call) => inLibrary(context, call)),
  ),

  'android-crypto-cbc-padding-oracle': codeRule((context) =>
    named(context, CIPHER, /CBC\/PKCS[57]Padding/i, (_, call) => inLibrary(context, call)).filter(
      ({ codeLocation }) =>
        !codeLocation || !classCalls(context.program, codeLocation.method.owner, 'Ljavax/crypto/Mac;->getInstance'),
    ),
  ),

  'android-crypto-static-iv': codeRule((context) => [
    ...constantArgument(context, 'Ljavax/crypto/spec/IvParameterSpec;-><init>([B', 1, (call) =>
      inLibrary(context, call),
    ),
    ...constantArgument(context, 'Ljavax/crypto/spec/GCMParameterSpec;-><init>(I[B', 2, (call) =>
      inLibrary(context, call),
    ),
  ]),

  'android-crypto-hardcoded-key': codeRule((context) => {
    const level = (call: CallSite) =>
      /\.test\.|Test;$/.test(call.method.owner.replaceAll('/', '.')) ? false : inLibrary(context, call)
    return [
      ...constantArgument(context, 'Ljavax/crypto/spec/SecretKeySpec;-><init>([B', 1, level),
      ...constantArgument(context, 'Ljavax/crypto/spec/DESKeySpec;-><init>([B', 1, level),
      ...constantArgument(context, 'Ljavax/crypto/spec/DESedeKeySpec;-><init>([B', 1, level),
      ...constantArgument(context, PBE, 1, level),
      ...keysThroughParameters(context),
    ]
  }),

  'android-crypto-weak-hash': codeRule((context) =>
    named(context, 'Ljava/security/MessageDigest;->getInstance(', /^(?:MD2|MD4|MD5|SHA-?1)$/i, (_, call) => {
      if (!isOwn(context, call)) return 'info'
      const names = `${call.method.owner} ${call.method.name}`
      if (/pass|pwd|sign|auth/i.test(names)) return 'high'
      return 'low'
    }).filter(({ location }) => !/Cache|Disk|Image/.test(location.class ?? '')),
  ),

  'android-crypto-insecure-random': codeRule((context) =>
    callHits(
      context,
      ['Ljava/util/Random;-><init>(', 'Ljava/lang/Math;->random()', 'Lkotlin/random/Random$Default;->next'],
      (call) => {
        if (!isOwn(context, call)) return false
        const strong = callsIn(
          context.program,
          call.method,
          'Ljavax/crypto/spec/SecretKeySpec;-><init>',
          'Ljavax/crypto/spec/IvParameterSpec;-><init>',
          'Ljava/security/MessageDigest;->',
        )
        return (
          strong ||
          keepsSecret(context, call) ||
          MAKES_SECRETS.test(call.method.owner) ||
          /token|nonce|otp|salt|(?:^|generate|make|create|get)[A-Za-z]*(?:Key|Password|Secret)$/i.test(call.method.name)
        )
      },
    ),
  ),

  'android-crypto-securerandom-seed': codeRule((context) =>
    [
      'Ljava/security/SecureRandom;->setSeed(J',
      'Ljava/security/SecureRandom;->setSeed([B',
      'Ljava/security/SecureRandom;-><init>([B',
    ].flatMap((pattern) =>
      callHits(context, [pattern], (call) => {
        const value = context.program.argument(call, 1)
        const constant = value.kind === 'number' ? String(value.value) : constantIn(context, value)
        return constant === undefined
          ? false
          : { what: masked(constant), ...(!isOwn(context, call) && { level: 'info' as const }) }
      }),
    ),
  ),

  'android-crypto-sha1prng': codeRule((context) =>
    callHits(context, ['Ljava/security/SecureRandom;->getInstance(Ljava/lang/String;'], (call) => {
      const { program } = context
      if (stringArgument(program, call, 1)?.toUpperCase() !== 'SHA1PRNG') return false
      if (parameterTypes(call.callee).length > 1 && stringArgument(program, call, 2) === 'Crypto')
        return { what: 'SHA1PRNG Crypto' }
      const seeds = callsIn(program, call.method, 'SecureRandom;->setSeed(')
      return seeds && callsIn(program, call.method, 'KeyGenerator;->init(') ? { what: 'SHA1PRNG' } : false
    }),
  ),

  'android-crypto-rsa-no-padding': codeRule((context) =>
    named(
      context,
      CIPHER,
      /^RSA(?:\/[^/]*\/(?:NoPadding|PKCS1Padding))?$/i,
      (name, call) => inLibrary(context, call) ?? (/NoPadding$/i.test(name) ? 'high' : 'low'),
    ),
  ),

  'android-crypto-rsa-short-key': codeRule((context) => shortKeys(context)),

  'android-crypto-pbkdf-iterations': codeRule((context) =>
    callHits(context, [`${PBE}[C[BI`], (call) => {
      const count = numberArgument(context.program, call, 3)
      if (count === undefined || count >= 100_000) return false
      return {
        what: `${count}`,
        ...(!isOwn(context, call) ? { level: 'info' as const } : count >= 10_000 ? { level: 'low' as const } : {}),
      }
    }),
  ),

  'android-crypto-static-salt': codeRule((context) => [
    ...constantArgument(context, `${PBE}[C[B`, 2, (call) => inLibrary(context, call)),
    ...constantArgument(context, 'Ljavax/crypto/spec/PBEParameterSpec;-><init>([B', 1, (call) =>
      inLibrary(context, call),
    ),
  ]),

  'android-keystore-no-auth': codeRule((context) => {
    const biometric =
      callsTo(
        context,
        'Landroidx/biometric/BiometricPrompt;->authenticate',
        'Landroid/hardware/biometrics/BiometricPrompt;->authenticate',
        'Landroid/hardware/fingerprint/FingerprintManager;->authenticate',
      ).length > 0
    return callHits(context, [`${KEY_BUILDER}-><init>(`], (call) => {
      const purposes = numberArgument(context.program, call, 2)
      if (purposes === undefined || !(purposes & (2 | 4)) || !isOwn(context, call)) return false
      const builder = madeBy(context.program, { kind: 'new', descriptor: KEY_BUILDER, location: call })
      const bound = builder && callsIn(context.program, call.method, 'setUserAuthenticationRequired(')
      return bound ? false : { what: `purposes ${purposes}`, ...(!biometric && { level: 'info' as const }) }
    })
  }),

  'android-biometric-event-only': codeRule((context) => [
    ...callHits(
      context,
      ['Landroidx/biometric/BiometricPrompt;->authenticate(Landroidx/biometric/BiometricPrompt$PromptInfo;)V'],
      (call) => isOwn(context, call),
    ),
    ...callHits(
      context,
      ['Landroid/hardware/fingerprint/FingerprintManager;->authenticate('],
      (call) => isOwn(context, call) && context.program.argument(call, 1).kind === 'null',
    ),
    ...callHits(
      context,
      ['Landroid/hardware/biometrics/BiometricPrompt;->authenticate(Landroid/os/CancellationSignal;'],
      (call) => isOwn(context, call),
    ),
  ]),

  'android-biometric-weak-class': codeRule((context) =>
    callHits(context, ['L*;->setAllowedAuthenticators('], (call) => {
      const kinds = numberArgument(context.program, call, 1)
      if (kinds === undefined || !call.callee.includes('iometric')) return false
      const weak = (kinds & 0xff) === 0xff
      const credential = (kinds & 0x8000) !== 0
      return weak || credential
        ? { what: [weak && 'BIOMETRIC_WEAK', credential && 'DEVICE_CREDENTIAL'].filter(Boolean).join(' | ') }
        : false
    }),
  ),

  'android-crypto-null-cipher': codeRule((context) =>
    callHits(context, ['Ljavax/crypto/NullCipher;-><init>('], (call) => isOwn(context, call)),
  ),
}

/** Does the random value go into a field whose name says that it must not be guessed? */
function keepsSecret({ program }: CodeContext, call: CallSite): boolean {
  const named = program
    .fieldUses('L*;->token')
    .concat(program.fieldUses('L*;->nonce'), program.fieldUses('L*;->otp'), program.fieldUses('L*;->salt'))
  return named.some(({ write, method }) => write && method.reference === call.method.reference)
}

/** Keys that a caller hands over as a constant: `encrypt(KEY.getBytes())` and the like, one method away. */
function keysThroughParameters(context: CodeContext): Hit[] {
  const { program } = context
  return callsTo(context, 'Ljavax/crypto/spec/SecretKeySpec;-><init>([B').flatMap((call): Hit[] => {
    if (
      !isOwn(context, call) ||
      handedValues(program, call, 1).some(({ value }) => constantIn(context, value) !== undefined)
    )
      return []
    const trace = traceArgument(program, call, 1)
    if (
      trace.strings.size === 0 ||
      passes(
        trace,
        'SecureRandom',
        '->getString(',
        'Intent;->get',
        'readLine',
        'MessageDigest',
        'SecretKeyFactory',
        'InputStream',
        'EditText',
        'TextView;->getText',
        'getExtras',
        'KeyGenerator',
      )
    )
      return []
    const keyed = [...trace.strings].filter(
      (value) =>
        value.length >= 8 &&
        !/^(?:UTF-?8|ISO-8859-1|US-ASCII|UTF-16|AES.*|HmacSHA.*|[A-Z0-9_]*KEY[A-Z_]*)$/i.test(value),
    )
    if (keyed.length !== 1 || trace.fields.size > 0) return []
    const value = masked(keyed[0]!)
    return [
      codeHit(
        call,
        `key ${value}`,
        text(`密钥由调用者传入常量 ${value}`, `the key is a constant that the caller hands over: ${value}`),
      ),
    ]
  })
}

function shortKeys(context: CodeContext): Hit[] {
  const { program } = context
  const algorithmIn = (method: MethodFacts): string | undefined =>
    program
      .callsFrom(method)
      .flatMap((call) =>
        call.callee.includes('KeyPairGenerator;->getInstance(') ? (stringArgument(program, call, 1) ?? []) : [],
      )[0]
  const initialised = callHits(context, ['Ljava/security/KeyPairGenerator;->initialize(I'], (call) => {
    const bits = numberArgument(program, call, 1)
    const algorithm = algorithmIn(call.method)?.toUpperCase() ?? ''
    const least = /^(?:RSA|DSA|DH|DIFFIEHELLMAN)$/.test(algorithm) ? 2048 : /^EC/.test(algorithm) ? 224 : 0
    if (bits === undefined || bits >= least) return false
    return { what: `${algorithm} ${bits}`, ...(!isOwn(context, call) && { level: 'info' as const }) }
  })
  const built = callHits(context, [`${KEY_BUILDER}->setKeySize(I)`], (call) => {
    const bits = numberArgument(program, call, 1)
    return bits !== undefined && bits < 2048 && bits > 512 && algorithmIn(call.method)?.toUpperCase() === 'RSA'
      ? { what: `RSA ${bits}` }
      : false
  })
  return [...initialised, ...built]
}
