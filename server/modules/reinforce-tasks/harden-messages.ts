import { z } from 'zod'
import { FiguresSchema, ReinforceCheckSchema, ShownMethodSchema } from '#contracts/http/reinforce-tasks.ts'
import type { ReinforceKind } from '#domain/reinforce-kinds.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'
import { isHardenText } from '#engines/harden/harden-texts.ts'
import { HARDEN_OPTIONS } from '#engines/harden/hardening.ts'

/** What a harden worker is asked. Bytes come by its standard input in the named order. */
export type HardenOrder = { name: string; kind: ReinforceKind; size: number } & (
  | { task: 'scripts' }
  /** `settingBytes` of HardenSettings as JSON follow the package. */
  | { task: 'harden'; settingBytes: number }
  /** The reinforced package follows the original, and the one with the same code readable where it is encrypted (0: it is not). */
  | { task: 'compare'; resultSize: number; openSize: number }
)
/** Too long for an argument. */
export type HardenSettings = {
  options: ReinforceOptions
  keepRules: string
  /** Hexadecimal. */
  seed: string
  /** SHA-256 of the certificate that the result is signed with; absent where it is not signed. */
  certificate?: string
  /** The newest one of the application that is not revoked; '' without one. */
  enrolmentKey: string
  /** ScriptAnswers of the protected scripts. */
  scripts: Record<string, { code: string; strength: string } | { refused: string }>
}

/** What a sign worker is asked; `keyBytes` of a SealedKey as JSON and the package come by its standard input: arguments are public. */
export type SignOrder = {
  size: number
  keyBytes: number
  kind: ReinforceKind
  schemes: readonly ('v1' | 'v2' | 'v3')[]
  createdBy: string
}

const count = z.int().min(0)
const text = z.string().max(2000)
const refused = z.strictObject({ refused: z.strictObject({ key: z.string().max(60), detail: text }) })
/** The package that was asked for, and the one whose code is not encrypted yet. */
const PackageNameSchema = z.enum(['result', 'open'])
export type PackageName = z.infer<typeof PackageNameSchema>
/** A package in base64, piece by piece, then its end. */
const pieces = [
  z.strictObject({ part: z.string(), of: PackageNameSchema }),
  z.strictObject({ end: z.strictObject({ of: PackageNameSchema, bytes: count }) }),
] as const
export type PieceMessage = z.infer<(typeof pieces)[number]>

/** A line of the log as it comes out of the sandbox: names in packages have no bound of their own. */
const LineSchema = z.strictObject({
  option: z.enum(HARDEN_OPTIONS),
  outcome: z.enum(['applied', 'skipped', 'absent']),
  file: z.string().max(500),
  place: z.string().max(500),
  text: z.string().refine(isHardenText),
  detail: z.string().max(500),
  count,
})
export type WrittenLine = z.infer<typeof LineSchema>

/** What a harden worker says, one line of JSON a message. Hostile bytes have a say in all of it, so it is checked. */
export const HardenMessageSchema = z.union([
  refused,
  ...pieces,
  z.strictObject({
    step: z.strictObject({
      stage: z.enum(['read', 'code', 'resources', 'libraries', 'write']),
      done: count,
      total: count,
      current: z.string().max(500),
    }),
  }),
  z.strictObject({ lines: z.array(LineSchema).max(1000) }),
  z.strictObject({ unread: z.array(count).max(1000), dropped: z.array(z.string().max(500)).max(100) }),
  z.strictObject({
    compared: z.strictObject({
      before: FiguresSchema.strict(),
      after: FiguresSchema.strict(),
      checks: z
        .array(z.strictObject({ check: ReinforceCheckSchema, passed: z.boolean(), detail: z.string().max(500) }))
        .max(10),
      methods: z.array(ShownMethodSchema.strict()).max(10),
      /** What the result alone shows of an option. */
      lines: z.array(LineSchema).max(1),
    }),
  }),
])
export type HardenMessage = z.infer<typeof HardenMessageSchema>

export const SignMessageSchema = z.union([
  refused,
  ...pieces,
  z.strictObject({
    signed: z.strictObject({
      schemes: z.array(z.string().max(10)).max(5),
      subject: text,
      sha256: z.string().length(64),
    }),
  }),
])
export type SignMessage = z.infer<typeof SignMessageSchema>
