import { z } from 'zod'
import { FindingLevelSchema, TextSchema } from '../../detection/scan-result.ts'
import { EXPORT_FILE, JobSchema } from '../../jobs.ts'
import { endpoint } from '../endpoint.ts'

// ----------------------------------------------------------------------------------------------------- sensitive words
// ---------------------------------------------------------------------------------------------------------- self-check

const appid = z.string().regex(/^\d{1,9}$/)
const itemId = z.string().regex(/^[\w-]{1,20}$/)

/** What person and package say together of one clause. */
export const CONCLUSIONS = {
  violate: { zh: '违规', en: 'Violates' },
  conflict: { zh: '与检测不符', en: 'Contradicts the package' },
  open: { zh: '待回答', en: 'Open' },
  conform: { zh: '合规', en: 'Conforms' },
  not_applicable: { zh: '不适用', en: 'Not applicable' },
} as const
export type Conclusion = keyof typeof CONCLUSIONS
const ConclusionSchema = z.enum(Object.keys(CONCLUSIONS) as [Conclusion, ...Conclusion[]])

const ANSWERS = ['yes', 'no', 'na'] as const
const AnswerSchema = z.object({
  value: z.enum(ANSWERS),
  note: z.string(),
  by: z.string(),
  at: z.number(),
  rev: z.number(),
})
const CountsSchema = z.record(ConclusionSchema, z.number())

/** The privacy detection that the self-check belongs to. */
const BasisSchema = z.object({ id: z.string(), name: z.string(), version: z.string(), at: z.number() })

export const selfChecks = endpoint({
  method: 'GET',
  path: '/api/compliance/self-check/',
  summary: 'Applications with the progress of their self-check, newest application first',
  access: ['asset.detect_privacy'],
  response: z.object({
    data: z.array(
      z.object({
        appid: z.string(),
        name: z.string(),
        questions: z.number(),
        answered: z.number(),
        /** Answers that are not as they should be. */
        violating: z.number(),
        last_at: z.number().nullable(),
        last_by: z.string(),
        basis: BasisSchema.nullable(),
      }),
    ),
  }),
})

const ClauseSchema = z.object({
  id: z.string(),
  source: z.string(),
  clause: z.string(),
  level: FindingLevelSchema,
  name: TextSchema,
  question: TextSchema,
  /** The answer that is as it should be. */
  good: z.enum(['yes', 'no']),
  methods: z.array(z.string()),
  answer: AnswerSchema.nullable(),
  machine: z
    .object({
      verdict: z.enum(['fail', 'pass', 'not_applicable', 'not_assessed', 'manual']),
      reason: TextSchema,
      chains: z.number(),
    })
    .nullable(),
  conclusion: ConclusionSchema,
})
export type SelfCheckClause = z.infer<typeof ClauseSchema>

export const selfCheck = endpoint({
  method: 'GET',
  path: '/api/compliance/self-check/application/',
  summary:
    'The questionnaire of an application: each clause with its question, answer, what the package says, and the conclusion',
  access: ['asset.detect_privacy'],
  query: z.object({ appid }),
  response: z.object({
    sources: z.array(z.object({ id: z.string(), title: TextSchema })),
    data: z.array(ClauseSchema),
    counts: CountsSchema,
    basis: BasisSchema.nullable(),
  }),
  errors: ['data.missing'],
})
export const answerSelfCheck = endpoint({
  method: 'POST',
  path: '/api/compliance/self-check/answer/',
  summary: 'Answer a question (null takes the answer back); `rev` guards against answers of others in between',
  access: ['asset.detect_privacy'],
  body: z.object({
    appid,
    item: itemId,
    value: z.enum(ANSWERS).nullable(),
    note: z.string().trim().max(1000).default(''),
    /** Of the answer that was seen; 0 where there was none. */
    rev: z.int().min(0).optional(),
  }),
  response: z.object({ data: ClauseSchema, counts: CountsSchema }),
  errors: ['data.missing', 'data.conflict'],
})
export const selfCheckHistory = endpoint({
  method: 'GET',
  path: '/api/compliance/self-check/history/',
  summary: 'Who answered a question how and when, newest first',
  access: ['asset.detect_privacy'],
  query: z.object({ appid, item: itemId }),
  response: z.object({
    data: z.array(z.object({ value: z.enum(ANSWERS).nullable(), note: z.string(), by: z.string(), at: z.number() })),
  }),
  errors: ['data.missing'],
})
export const exportSelfCheck = endpoint({
  method: 'POST',
  path: '/api/compliance/self-check/export/',
  summary: 'Export the questionnaire with answers, what the package says, and conclusions in a job',
  access: ['asset.detect_privacy'],
  body: z.object({ appid, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['data.missing', 'task.exists'],
})
