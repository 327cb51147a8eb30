import { z } from 'zod'
import { PRINT_FORMAT } from '#engines/similarity/package-print.ts'

/** What a print worker is asked; the bytes of the package come by its standard input. */
export type PrintOrder = { name: string; size: number }

const text = z.string().max(4000)
const hash = z.string().regex(/^[\da-f]{16}$/)
const names = z.array(text).max(100_000)

/** A print as it comes out of the sandbox: nothing in it is longer than a sound one is. */
const PrintSchema = z.strictObject({
  format: z.literal(PRINT_FORMAT),
  platform: z.enum(['android', 'ios']),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  size: z.int().min(0),
  package: text,
  versionCode: text,
  versionName: text,
  label: text,
  signer: z.strictObject({
    state: z.enum(['verified', 'partial', 'broken', 'unsigned', 'unknown']),
    certificates: z.array(z.string().regex(/^[\da-f]{64}$/)).max(100),
    lineage: z.array(z.string().regex(/^[\da-f]{64}$/)).max(100),
    subject: text,
    isPublicKey: z.boolean(),
  }),
  content: z.string().regex(/^[\da-f]{64}$/),
  code: z
    .strictObject({
      methods: z.array(z.tuple([text, z.string()])).max(100_000),
      libraryMethods: z.string(),
      classes: z.array(z.strictObject({ name: text, hash, methods: z.int().min(0) })).max(100_000),
      libraries: z.array(z.tuple([text, z.int().min(0)])).max(10_000),
    })
    .nullable(),
  packer: text,
  files: z.array(z.strictObject({ name: text, hash, common: z.boolean() })).max(100_000),
  natives: z
    .array(z.strictObject({ name: text, abi: text, buildId: text.nullable(), hash, common: z.boolean() }))
    .max(100_000),
  components: names,
  permissions: names,
  icon: z.strictObject({ shape: z.string().length(16), colours: z.string().length(48) }).nullable(),
  gaps: z.array(z.enum(['code', 'classes', 'files', 'native'])),
})

export const PrintMessageSchema = z.union([
  z.strictObject({ print: PrintSchema }),
  z.strictObject({ refused: z.string().max(2000) }),
])
export type PrintMessage = z.infer<typeof PrintMessageSchema>
