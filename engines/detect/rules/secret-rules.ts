import { FormatError } from '../../bytes/format-error.ts'
import { dotted } from '../evidence/locations.ts'
import { isLibraryName } from '../owner/own-prefixes.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { sdkOfClass } from '../sdks/package-trie.ts'
import { entryHit } from './hits.ts'
import { credentialResources, literalCredentials } from './literal-credentials.ts'
import { entropy, masked } from './mask.ts'
import type { TextPiece } from './package-texts.ts'
import { pieceHit } from './pieces.ts'
import { type CodeContext, type Hit, type Rule, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

interface SecretPattern {
  /** First group: the secret; the whole match if the pattern has no group. */
  readonly pattern: RegExp
  readonly entropy?: number
  /** Placeholders and examples beside the general ones. */
  readonly harmless?: RegExp
  readonly accepts?: (match: RegExpExecArray, piece: TextPiece) => boolean
  readonly level?: (match: RegExpExecArray, piece: TextPiece) => FindingLevel | undefined
  readonly sources?: readonly TextPiece['source'][]
}

/** What documents write in place of a secret. */
const PLACEHOLDER =
  /(.)\1{5,}|x{4,}|\*{3,}|example|sample|placeholder|your[_-]?|<[^>]+>|\$\{|%s|test[_-]?key|0123456789|1234567890|abcdef/i

interface FoundSecret {
  readonly value: string
  readonly level: FindingLevel | undefined
}

interface SecretRule extends Rule {
  readonly description: Text
  readonly find: (piece: TextPiece) => FoundSecret[]
}

function secret(description: Text, { pattern, ...conditions }: SecretPattern): SecretRule {
  const every = new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
  const find = (piece: TextPiece): FoundSecret[] => {
    if (conditions.sources && !conditions.sources.includes(piece.source)) return []
    const found: FoundSecret[] = []
    for (const match of piece.text.matchAll(every)) {
      const value = match[1] ?? match[0]
      if (
        PLACEHOLDER.test(value) ||
        conditions.harmless?.test(piece.text.slice(match.index, match.index + match[0].length + 8))
      )
        continue
      if (conditions.entropy && entropy(value) < conditions.entropy) continue
      if (conditions.accepts && !conditions.accepts(match as RegExpExecArray, piece)) continue
      found.push({ value, level: conditions.level?.(match as RegExpExecArray, piece) })
    }
    return found
  }
  return {
    needs: ['archive'],
    description,
    find,
    check: (context) => {
      const seen = new Set<string>()
      return context.texts.pieces.flatMap((piece) =>
        find(piece).flatMap(({ value, level }): Hit[] => {
          const hidden = masked(value)
          const detail = text(`${description.zh}：${hidden}`, `${description.en}: ${hidden}`)
          const hit = { ...pieceHit(context, piece, hidden, detail, level), secret: value }
          const key = `${value} ${hit.location.entry} ${hit.location.class ?? hit.location.path ?? ''}`
          if (seen.has(key)) return []
          seen.add(key)
          return [hit]
        }),
      )
    },
  }
}

const PRIVATE_KEY =
  /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----(?:\\n|[\s\w:,.-]{0,120}?)?[A-Za-z0-9+/=\s\\]{64,}/

/**
 * Keys that a library brings to try something out, and that protect nothing: known by a part of their public modulus. Netty's of example.com
 * (io.netty.handler.ssl.JdkSslServerContext, SslUtils).
 */
const PUBLISHED_KEY = /BtayYNDrM3NFnkBbwTd6gaWp/

/**
 * In classes that a known library brings to test with, where the key is public. Any package of another name than the application's may hold
 * a key of its maker.
 */
const isOfTests = ({ constant }: TextPiece): boolean => {
  const owners = [
    ...(constant?.fields ?? []).map((field) => field.slice(0, field.indexOf('->'))),
    ...(constant?.locations ?? []).map(({ method }) => method.owner),
  ]
  // Below the names of GitHub is anybody's code.
  const isKnown = (owner: string) =>
    sdkOfClass(owner) !== null || (isLibraryName(dotted(owner)) && !/^L(?:com|io)\/github\//.test(owner))
  return owners.length > 0 && owners.every((owner) => /\/(?:testing|testdata)\//.test(owner) && isKnown(owner))
}

const SECRETS: Readonly<Record<string, SecretRule>> = {
  'android-secret-aliyun-ak': secret(text('阿里云 AccessKey', 'Alibaba Cloud AccessKey'), {
    pattern: /\bLTAI[0-9A-Za-z]{12,26}\b/,
    entropy: 3,
  }),
  'android-secret-tencent-secretid': secret(text('腾讯云 SecretId', 'Tencent Cloud SecretId'), {
    pattern: /\bAKID[0-9A-Za-z]{13,40}\b/,
    entropy: 3,
  }),
  'android-secret-aws-ak': secret(text('AWS 访问密钥', 'AWS access key'), {
    pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
    harmless: /AKIAIOSFODNN7EXAMPLE/,
    accepts: ([value]) => /\d/.test(value!.slice(4)),
  }),
  'android-secret-huawei-ak': secret(text('华为云 AK/SK', 'Huawei Cloud AK/SK'), {
    pattern: /(?:huaweicloud|\bobs)[^\n]{0,40}(?:ak|sk|secret)["'=: ]{1,4}([0-9A-Z]{20,40})/i,
    entropy: 3.5,
    accepts: ([, value]) => /^[0-9A-Z]+$/.test(value!),
  }),
  'android-secret-google-api-key': secret(text('Google API 密钥', 'Google API key'), {
    pattern: /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/,
    level: (_, piece) => (/google_(?:api_key|crash_reporting_api_key)$/.test(piece.name ?? '') ? 'info' : undefined),
  }),
  'android-secret-private-key': secret(text('内嵌私钥', 'embedded private key'), {
    pattern: PRIVATE_KEY,
    harmless: PUBLISHED_KEY,
    level: ([match], piece) => (isOfTests(piece) ? 'low' : match!.includes('ENCRYPTED') ? 'middle' : undefined),
  }),
  'android-secret-wechat-secret': secret(text('微信 AppSecret', 'WeChat AppSecret'), {
    pattern: /(?:app_?secret|wx_?secret)["'=: ]{1,6}([0-9a-f]{32})\b/i,
    entropy: 3,
    accepts: (match, piece) =>
      /\bwx[0-9a-f]{16}\b/.test(piece.text.slice(Math.max(0, match.index - 160), match.index + 300)),
  }),
  'android-secret-push-master-secret': secret(text('推送 MasterSecret', 'push master secret'), {
    pattern: /(?:master_?secret)["'=: ]{1,6}([0-9A-Za-z]{16,40})\b/i,
    entropy: 3,
  }),
  'android-secret-jwt': secret(text('硬编码 JWT', 'hard-coded JWT'), {
    pattern: /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}/,
    // The sample of jwt.io.
    accepts: ([match]) => !match!.includes('eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI') && isJwt(match!),
  }),
  'android-secret-github-token': secret(text('代码托管令牌', 'source-host token'), {
    pattern: /\b(?:ghp|gho|ghu|ghs|ghr)_[0-9A-Za-z]{36}\b|\bglpat-[0-9A-Za-z_-]{20}\b/,
    entropy: 3.5,
  }),
  'android-secret-slack-webhook': secret(text('群机器人地址', 'chat bot webhook'), {
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/services\/T[\w/]{8,80}|oapi\.dingtalk\.com\/robot\/send\?access_token=[0-9a-f]{64}|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[0-9a-f-]{36})/,
  }),
  'android-secret-db-conn': secret(text('数据库连接串', 'database connection string'), {
    pattern:
      /(?:jdbc:(?:mysql|postgresql|oracle|sqlserver)|mongodb(?:\+srv)?|redis):\/\/([^\s:@/]{1,80}:[^\s:@/]{1,80})@/,
    harmless: /\/\/(?:user(?:name)?|root|admin)?:(?:pass(?:word)?|pwd)@/i,
  }),
  'android-secret-cloud-pool': secret(text('云身份池标识', 'identifier of a cloud identity pool'), {
    pattern:
      /\b((?:us|eu|ap|ca|sa|me|af|cn)(?:-gov)?-[a-z]+-\d:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/,
  }),
  'android-secret-generic-secret': secret(text('疑似硬编码密钥', 'possible hard-coded secret'), {
    pattern: /\b(?:password|passwd|secret|api_?key|access_?token)\b\s{0,4}[:=]\s{0,4}["']([^"'\s]{8,64})["']/i,
    entropy: 3.5,
    sources: ['file', 'resource'],
    harmless: /_hint\b|label_/,
    accepts: ([, value], piece) =>
      !/^(?:[A-Z_]+|[a-z]+(?:[A-Z][a-z]+)*|[\w.-]+\.(?:com|cn|org|js|html?))$/.test(value!) &&
      !/_hint$|^string\/label_/.test(piece.name ?? ''),
  }),
}

const GENERIC = SECRETS['android-secret-generic-secret'] as SecretRule

export const secretRules: RuleTable = {
  ...SECRETS,
  'android-secret-generic-secret': {
    needs: ['archive'],
    check: (context) => [
      ...(GENERIC.check(context) as readonly Hit[]),
      ...credentialResources(context),
      ...(context.program ? literalCredentials(context as CodeContext) : []),
    ],
  },
  'android-secret-keystore-file': { needs: ['archive'], check: keystoreFiles },
}

/** Secrets in a text that is no part of a package: a line of a log, a file of the running application. */
export function secretsIn(from: string): { readonly item: string; readonly name: Text; readonly value: string }[] {
  const piece: TextPiece = { source: 'file', entry: '', offset: 0, text: from }
  return Object.entries(SECRETS).flatMap(([item, { description, find }]) =>
    find(piece).map(({ value }) => ({ item, name: description, value })),
  )
}

function isJwt(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null && 'alg' in header
  } catch {
    return false
  }
}

const KEYSTORE = /\.(?:jks|keystore|bks|p12|pfx|pem|key)$/i

function keystoreFiles(context: RuleContext): readonly Hit[] {
  return context.entries.flatMap(({ name, size }): Hit[] => {
    if (!KEYSTORE.test(name) || size === 0 || size > 2 ** 20) return []
    const bytes = context.read(name)
    if (!bytes || !holdsPrivateKey(name, bytes)) return []
    return [entryHit(name, name, text(`密钥库文件 ${name}`, `key store ${name}`))]
  })
}

/** A bundle of certificates is no secret: PEM says so itself, a Java key store by the kinds of its entries. */
function holdsPrivateKey(name: string, bytes: Uint8Array): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (/\.(?:pem|key)$/i.test(name)) return content.includes('PRIVATE KEY')
  if (content.length > 20 && content.readUInt32BE(0) === 0xfeedfeed) return storeHasKey(content)
  // PKCS #12 holds keys as a rule; a BKS store says in its entries what they are.
  if (content.length > 20 && content.readUInt32BE(0) <= 2) return !onlyCertificates(content)
  return content[0] === 0x30
}

function storeHasKey(content: Buffer): boolean {
  try {
    // Magic, version, count, then entries that begin with their kind: 1 a private key, 2 a certificate.
    const count = content.readUInt32BE(8)
    return count > 0 && content.readUInt32BE(12) === 1
  } catch (error) {
    if (error instanceof RangeError || error instanceof FormatError) return true
    throw error
  }
}

/** BKS: after version, salt and iterations come entries with their kind in one byte: 1 certificate, 2 key, 3 secret, 4 sealed key. */
function onlyCertificates(content: Buffer): boolean {
  try {
    const saltLength = content.readUInt32BE(4)
    const kind = content[8 + saltLength + 4]
    return kind === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
