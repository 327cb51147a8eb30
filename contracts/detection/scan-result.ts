import { z } from 'zod'
import { DynamicResultSchema } from './dynamic-result.ts'
import {
  DETECTION_KINDS,
  type DetectionKind,
  FINDING_LEVELS,
  type FindingLevel,
  OWNER_KINDS,
  type OwnerKind,
  VERDICTS,
} from './kinds.ts'

/**
 * What a scan says (engines/detect/result/scan-result.ts), as schemas with limits: what a worker hands back is checked by them before anything
 * else reads it, and endpoints serve it in parts. A test checks that both descriptions are the same type.
 */
export const SCAN_SCHEMA = 'appwarden-scan/1'

const long = z.string().max(20_000)
const name = z.string().max(2000)
const count = z.number().int().min(0)
const list = <T extends z.ZodType>(item: T, most = 20_000) => z.array(item).max(most).readonly()

export const TextSchema = z.object({ zh: long, en: long })
export type Text = z.infer<typeof TextSchema>
const NoteSchema = z.object({ key: z.string().max(100), text: TextSchema })

export const DetectionKindSchema = z.enum(Object.keys(DETECTION_KINDS) as [DetectionKind, ...DetectionKind[]])
export const FindingLevelSchema = z.enum(Object.keys(FINDING_LEVELS) as [FindingLevel, ...FindingLevel[]])
export const VerdictSchema = z.enum(Object.keys(VERDICTS) as [keyof typeof VERDICTS, ...(keyof typeof VERDICTS)[]])

export const PACKAGE_KINDS = ['apk', 'aab', 'apks', 'aar', 'jar', 'so', 'ipa'] as const
export const PackageKindSchema = z.enum(PACKAGE_KINDS)
export type PackageKind = (typeof PACKAGE_KINDS)[number]

const confidence = z.enum(['high', 'medium', 'low'])

export const PackageSummarySchema = z.object({
  kind: PackageKindSchema,
  platform: z.enum(['android', 'ios']),
  name,
  id: name,
  version: name,
  build: name,
  minSdk: name,
  targetSdk: name,
  size: count,
  md5: name,
  sha1: name,
  sha256: name,
  mainClass: name,
  abis: list(name, 100),
  dexCount: count,
  classCount: count,
  packer: name.nullable(),
  signed: z.boolean(),
  /** Absent in results of earlier versions. */
  signature: z.enum(['verified', 'partial', 'broken', 'unsigned', 'unknown']).optional(),
  schemes: list(name, 20),
})

export const ScoreSchema = z.object({
  value: z.number().min(0).max(100),
  grade: z.enum(['high', 'middle', 'low']),
  deductions: list(z.object({ item: name, points: z.number() })),
  formula: TextSchema,
})

const LocationSchema = z.object({
  entry: name,
  offset: z.number(),
  path: name.optional(),
  class: name.optional(),
  method: name.optional(),
  line: z.number().optional(),
  snippet: list(name, 40).optional(),
})
export type ScanLocation = z.infer<typeof LocationSchema>

export const OwnerKindSchema = z.enum(Object.keys(OWNER_KINDS) as [OwnerKind, ...OwnerKind[]])
/** In place of the id of an SDK, where an owner is one text: null is own code, '' a library without name. */
export const UNKNOWN_OWNER = '?'

export const FindingSchema = z.object({
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  owner: z.object({ kind: OwnerKindSchema, sdk: name.nullable() }),
  evidence: LocationSchema,
  detail: TextSchema,
  level: FindingLevelSchema.optional(),
})

export const ItemResultSchema = z.object({
  id: z.string().max(100),
  category: z.string().max(100),
  level: FindingLevelSchema,
  confidence,
  name: TextSchema,
  verdict: VerdictSchema,
  reason: TextSchema.nullable(),
  findings: list(FindingSchema, 50),
  hits: count,
  owner: OwnerKindSchema.nullable(),
  threat: TextSchema,
  advice: TextSchema,
  references: z
    .object({
      masvs: list(name, 50),
      maswe: list(name, 50),
      mastg: list(name, 50),
      cwe: list(name, 50),
      cve: list(name, 50),
      gbt: list(name, 50),
    })
    .readonly(),
})

export const CertificateSummarySchema = z.object({
  subject: name,
  issuer: name,
  serial: name,
  notBefore: z.number(),
  notAfter: z.number(),
  algorithm: name,
  keyBits: z.number(),
  md5: name,
  sha1: name,
  sha256: name,
})

export const PermissionResultSchema = z.object({
  name,
  title: TextSchema,
  group: name,
  dangerous: z.boolean(),
  state: z.enum(['used', 'unused', 'undeclared', 'unknown']),
  excessive: z.boolean().nullable(),
  personalInfo: list(name, 200),
  uses: list(z.object({ owner: name.nullable(), place: LocationSchema }), 20),
})

export const ComponentResultSchema = z.object({
  kind: name,
  name,
  exported: z.boolean(),
  permission: name.nullable(),
  owner: name.nullable(),
})

export const SdkResultSchema = z.object({
  id: name,
  name: TextSchema,
  vendor: name,
  category: name,
  country: name,
  version: name.nullable(),
  state: z.enum(['called', 'present']),
  personalInfo: list(name, 200),
  permissions: list(name, 200),
  evidence: list(LocationSchema, 100),
  confidence,
})

export const DependencySchema = z.object({
  purl: name,
  group: name,
  name,
  version: name,
  technique: z.enum(['manifest-analysis', 'binary-analysis']),
  places: list(LocationSchema, 20),
  licenses: list(z.union([z.object({ id: name }), z.object({ name })]), 10),
  sdk: name.nullable(),
  vulnerabilities: list(name, 500),
})

export const DomainResultSchema = z.object({
  host: name,
  cleartext: z.boolean(),
  owner: name.nullable(),
  place: LocationSchema,
})

export const PrivacyResultSchema = z.object({
  id: name,
  source: name,
  clause: name,
  level: FindingLevelSchema,
  name: TextSchema,
  verdict: z.enum([...VerdictSchema.options, 'manual']),
  reason: TextSchema,
  chains: list(z.object({ info: name, owner: name.nullable(), steps: list(LocationSchema, 100) }), 200),
})

export const ContentHitSchema = z.object({
  kind: z.enum(['word', 'qr', 'text_in_image', 'image']),
  group: name,
  value: name,
  form: name,
  place: LocationSchema,
})

export const LibrarySchema = z.object({ entry: name, abi: name, name })

export const CoverageSchema = z.object({
  classes: count,
  classesRead: count,
  methods: count,
  methodsRead: count,
  entries: count,
  entriesRead: count,
  ownPrefixes: list(name, 1000),
  obfuscated: z.number().min(0).max(1),
  /** Classes by owner; absent in results of earlier versions. */
  owners: z.object({ own: count, sdk: count, unknown: count }).readonly().optional(),
})

export const NotAssessedSchema = list(NoteSchema, 2000)
export const RulesUsedSchema = z.object({ pack: name, version: name, items: count })
export const LevelCountsSchema = z.object({ high: count, middle: count, low: count, info: count }).readonly()
export type LevelCounts = z.infer<typeof LevelCountsSchema>

export const ScanResultSchema = z.object({
  schema: z.literal(SCAN_SCHEMA),
  package: PackageSummarySchema,
  rules: RulesUsedSchema,
  kinds: list(DetectionKindSchema, 7),
  score: ScoreSchema,
  counts: LevelCountsSchema,
  items: list(ItemResultSchema, 2000),
  certificates: list(CertificateSummarySchema, 100),
  permissions: list(PermissionResultSchema, 5000),
  components: list(ComponentResultSchema),
  sdks: list(SdkResultSchema, 5000),
  /** Results of earlier versions have none. */
  dependencies: list(DependencySchema, 5000).default([]),
  domains: list(DomainResultSchema),
  privacy: list(PrivacyResultSchema, 500),
  content: list(ContentHitSchema, 5000),
  libraries: list(LibrarySchema),
  coverage: CoverageSchema,
  notAssessed: NotAssessedSchema,
  /** Of dynamic detection alone. */
  dynamic: DynamicResultSchema.optional(),
})
