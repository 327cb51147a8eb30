import { z } from 'zod'
import { TextSchema } from '../detection/scan-result.ts'
import { TOOL_LIMITS } from '../tool-limits.ts'
import { CertificateSchema, PackageFactsSchema } from './assets.ts'
import { endpoint } from './endpoint.ts'

/**
 * Platform tools. They read files that are uploaded for one answer (tus, `createUpload` in assets.ts) and removed with it; nothing becomes
 * an asset. A file that takes longer than a request may take is answered with asset.busy, and the caller asks again.
 */

const upload = z.string().regex(/^[0-9a-f]{32}$/)
/** What every tool that reads a file may refuse with. */
const READING = [
  'data.missing',
  'asset.unreadable',
  'asset.unknown_kind',
  'asset.incomplete',
  'asset.busy',
  'tool.limit',
  'request.rate',
] as const

const FileSchema = z.object({
  name: z.string(),
  size: z.number(),
  md5: z.string(),
  sha1: z.string(),
  sha256: z.string(),
  sm3: z.string(),
})
export const EntrySchema = z.object({
  /** With the archive that it lies in: `base.apk!/classes.dex`. */
  name: z.string(),
  size: z.number(),
  packed: z.number(),
  /** 0 stored, 8 deflated. */
  method: z.number(),
  crc32: z.number(),
})
export type PackageEntry = z.infer<typeof EntrySchema>
const SignatureStateSchema = z.enum(['verified', 'partial', 'broken', 'unsigned', 'unknown'])
export const ManifestSchema = z.object({
  /** xml: AndroidManifest.xml; json: Info.plist; text: MANIFEST.MF. */
  form: z.enum(['xml', 'json', 'text']),
  text: z.string(),
  cut: z.boolean(),
})

export const InspectedPackageSchema = z.object({
  file: FileSchema,
  kind: z.string(),
  platform: z.enum(['android', 'ios']),
  name: z.string(),
  version: z.string(),
  version_code: z.string(),
  package_name: z.string(),
  packer: z.string(),
  signature: SignatureStateSchema,
  facts: PackageFactsSchema,
  /** PNG, base64, decoded and drawn again. */
  icon: z.string().nullable(),
  manifest: ManifestSchema.nullable(),
  entries: z.array(EntrySchema),
  entry_total: z.number(),
})
export type InspectedPackage = z.infer<typeof InspectedPackageSchema>

export const toolPackage = endpoint({
  method: 'POST',
  path: '/api/platform/tools/package/',
  summary: 'Read an uploaded package without keeping it: identity, manifest, signatures, certificates, entries',
  access: ['tool.use'],
  body: z.object({ upload }),
  response: z.object({ data: InspectedPackageSchema }),
  errors: READING,
})

/** A certificate with its bytes as PEM: certificates are public. */
const ShownCertificateSchema = CertificateSchema.extend({ pem: z.string() })
export const CertificateGroupSchema = z.object({
  /** signer: of a package; signed_by: of a PKCS#7 structure; key: chain of a private key, which itself is not shown. */
  kind: z.enum(['signer', 'lineage', 'stamp', 'signed_by', 'certificate', 'key']),
  /** Scheme and signer, alias, or ''. */
  name: z.string(),
  /** Epoch milliseconds at which a key store took the entry in; null where it does not say. */
  created: z.number().nullable(),
  certificates: z.array(ShownCertificateSchema),
})
export const SignatureReadingSchema = z.object({
  file: FileSchema,
  /** apk and the other packages, pem, der, pkcs7, jks, jceks, bks, pkcs12. */
  form: z.string(),
  /** Of packages alone. */
  state: SignatureStateSchema.nullable(),
  schemes: z.array(z.object({ scheme: z.string(), state: z.string() })),
  groups: z.array(CertificateGroupSchema),
  /** Pairs of the APK signing block. */
  blocks: z.array(z.object({ id: z.string(), name: z.string(), offset: z.number(), size: z.number() })),
  issues: z.array(z.object({ severity: z.enum(['error', 'warning']), key: z.string(), detail: z.string() })),
  /** Parts that need a password: they were neither opened nor kept. */
  locked: z.number(),
  /** Private keys that the file holds; their bytes are not read. */
  private_keys: z.number(),
  cut: z.boolean(),
})
export type SignatureReading = z.infer<typeof SignatureReadingSchema>

export const toolSignature = endpoint({
  method: 'POST',
  path: '/api/platform/tools/signature/',
  summary: 'Show the signatures of an uploaded package, or the certificates of a PEM, DER, PKCS#7 or key store file',
  access: ['tool.use'],
  body: z.object({ upload }),
  response: z.object({ data: SignatureReadingSchema }),
  errors: [...READING, 'tool.no_certificate'],
})

const changes = <T extends z.ZodType>(one: T) =>
  z.object({
    added: z.array(one),
    removed: z.array(one),
    changed: z.array(z.object({ before: one, after: one })),
    /** Rows in all; the lists are cut at TOOL_LIMITS.changes each. */
    total: z.number(),
  })
const { permissions, components, certificates } = PackageFactsSchema.shape
const SideSchema = InspectedPackageSchema.pick({
  file: true,
  kind: true,
  name: true,
  version: true,
  version_code: true,
  package_name: true,
  signature: true,
})
const ComparisonSchema = z.object({
  before: SideSchema,
  after: SideSchema,
  same_package: z.boolean(),
  /** Whether both have certificates and these are the same. */
  same_signer: z.boolean(),
  identity: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  permissions: changes(permissions.element),
  components: changes(components.element),
  certificates: changes(certificates.element),
  entries: changes(EntrySchema).extend({ unchanged: z.number() }),
  /** Lines that differ, with those around them; null where one has no manifest. */
  manifest: z
    .object({ lines: z.array(z.object({ sign: z.enum(['+', '-', ' ']), text: z.string() })), cut: z.boolean() })
    .nullable(),
})
export type PackageComparison = z.infer<typeof ComparisonSchema>

export const toolCompare = endpoint({
  method: 'POST',
  path: '/api/platform/tools/compare/',
  summary:
    'Compare two uploaded packages without keeping them: manifest, permissions, components, certificates, entries',
  access: ['tool.use'],
  body: z.object({ before: upload, after: upload }),
  response: z.object({ data: ComparisonSchema }),
  errors: READING,
})

const MatchSchema = z.object({
  /** Span in the text, in UTF-16 units. */
  from: z.number(),
  to: z.number(),
  /** What the brackets of the expression matched; null where a bracket took no part. */
  groups: z.array(z.string().nullable()),
  /** Of words: which one, and in which disguise (WORD_FORMS of sensitive-words.ts). */
  word: z.string(),
  form: z.string(),
})
export const PatternTrialSchema = z.object({
  /** What is wrong with the expression, and at which character; null where it can be read. */
  error: z.object({ position: z.number(), text: TextSchema }).nullable(),
  matches: z.array(MatchSchema),
  total: z.number(),
  /** Instructions of the matcher: the work for one character is at most this. 0 of words. */
  states: z.number(),
  milliseconds: z.number(),
})
export type PatternTrial = z.infer<typeof PatternTrialSchema>

export const toolPattern = endpoint({
  method: 'POST',
  path: '/api/platform/tools/pattern/',
  summary: 'Try an expression of own rules, or sensitive words, on a text. Nothing is kept',
  access: ['tool.use'],
  audit: false,
  body: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('pattern'),
      expression: z.string().min(1).max(TOOL_LIMITS.expression),
      ignore_case: z.boolean().default(false),
      text: z.string().max(TOOL_LIMITS.text),
    }),
    z.object({
      kind: z.literal('words'),
      words: z.array(z.string().trim().min(1).max(64)).min(1).max(TOOL_LIMITS.words),
      text: z.string().max(TOOL_LIMITS.text),
    }),
  ]),
  response: z.object({ data: PatternTrialSchema }),
  errors: ['tool.limit', 'request.rate'],
})

/** What is looked at on a phone, in the order of showing, and what each is needed for. */
export const PHONE_CHECKS = {
  commands: {
    zh: '执行命令',
    en: 'Runs commands',
    why: { zh: '动态检测的每一步都通过 adb 命令完成', en: 'every step of a dynamic detection is an adb command' },
  },
  version: {
    zh: '系统版本',
    en: 'Android version',
    why: { zh: '需要 Android 7（API 24）或更高版本', en: 'Android 7 (API 24) or later is needed' },
  },
  unlocked: {
    zh: '屏幕与锁屏',
    en: 'Screen and lock',
    why: { zh: '有锁屏密码时无法操作应用', en: 'behind a lock screen nothing can be operated' },
  },
  storage: {
    zh: '可用存储',
    en: 'Free storage',
    why: { zh: '安装需要空间', en: 'an installation needs room' },
  },
  battery: {
    zh: '电量',
    en: 'Battery',
    why: { zh: '检测期间手机不应断电', en: 'the phone should last for the detection' },
  },
  clock: {
    zh: '时钟',
    en: 'Clock',
    why: {
      zh: '与服务器时间相差过大时，证书与记录时间不可信',
      en: 'far from the time of the server, certificates and records cannot be trusted',
    },
  },
  installer: {
    zh: '安装服务',
    en: 'Package service',
    why: { zh: '用于安装与卸载被测应用', en: 'installs and removes the application' },
  },
  screenshot: {
    zh: '截屏',
    en: 'Screenshot',
    why: { zh: '检测结果附有截图', en: 'results contain pictures' },
  },
  usage: {
    zh: '权限使用记录',
    en: 'Use of permissions',
    why: { zh: '观察应用实际使用的权限', en: 'what the application really uses is observed' },
  },
  boot: {
    zh: '系统完整性',
    en: 'System integrity',
    why: {
      zh: '仅供参考：已解锁或已 root 的手机上应用可能改变行为',
      en: 'for information: applications may behave otherwise on unlocked or rooted phones',
    },
  },
} as const
export type PhoneCheckName = keyof typeof PHONE_CHECKS

const PhoneSchema = z.object({
  serial: z.string(),
  model: z.string(),
  /** Of adb: device (ready), unauthorized, offline and others. */
  state: z.string(),
})
export const toolPhones = endpoint({
  method: 'GET',
  path: '/api/platform/tools/phones/',
  summary: 'Phones that the adb server knows, ready or not, and whether there is an adb server',
  access: ['tool.use'],
  response: z.object({ adb: z.boolean(), data: z.array(PhoneSchema) }),
})
export const toolPhoneCheck = endpoint({
  method: 'POST',
  path: '/api/platform/tools/phone-check/',
  summary: 'Look at one phone: whether it can run detections. Reads only; nothing on the phone is changed',
  access: ['tool.use'],
  body: z.object({ serial: z.string().regex(/^[\w.:-]{1,128}$/) }),
  response: z.object({
    data: z.object({
      serial: z.string(),
      model: z.string(),
      maker: z.string(),
      release: z.string(),
      sdk: z.number(),
      checks: z.array(
        z.object({
          name: z.enum(Object.keys(PHONE_CHECKS) as [PhoneCheckName, ...PhoneCheckName[]]),
          state: z.enum(['good', 'warn', 'bad', 'unknown']),
          detail: TextSchema,
        }),
      ),
    }),
  }),
  errors: ['detection.no_phone', 'tool.phone'],
})
export type PhoneCheck = z.infer<typeof toolPhoneCheck.response>['data']
