import { z } from 'zod'
import { TextSchema } from '../detection/scan-result.ts'
import { endpoint } from './endpoint.ts'

/** Sensitive words and the self-check of illegal collection and use of personal information. */

const offset = z.coerce.number().int().min(0).max(1_000_000).default(0)

const limit = z.coerce.number().int().min(1).max(500).default(100)

const search = z.string().trim().max(50).default('')

// ----------------------------------------------------------------------------------------------------- sensitive words

export const WORD_LIMITS = {
  groups: 200,
  words: 100_000,
  /** Characters of one word. */
  word: 50,
  /** Characters of one import, and of one text for a hit test. */
  import: 2_000_000,
  text: 500_000,
  /** Hits that a test lists, and problems that an import names. */
  hits: 1000,
  problems: 200,
} as const

const groupId = z.string().regex(/^[\w-]{1,40}$/)

const WordGroupSchema = z.object({
  id: z.string(),
  /** Built-in ones are named in both languages. */
  name: TextSchema,
  note: z.string(),
  /** A list that is switched off is not looked for. */
  enabled: z.boolean(),
  built_in: z.boolean(),
  words: z.number(),
  rev: z.number(),
  by: z.string(),
  updated_at: z.number(),
})

export type WordList = z.infer<typeof WordGroupSchema>

export const wordGroups = endpoint({
  method: 'GET',
  path: '/api/compliance/words/groups/',
  summary: 'Lists of sensitive words: the built-in ones, then own ones by name',
  access: ['rule.edit'],
  response: z.object({ data: z.array(WordGroupSchema), total: z.number(), enabled: z.number() }),
})

export const saveWordGroup = endpoint({
  method: 'POST',
  path: '/api/compliance/words/groups/save/',
  summary: 'Create (no id), name, describe or switch a list on and off',
  access: ['rule.edit'],
  body: z.object({
    id: groupId.optional(),
    name: z.string().trim().min(1).max(40),
    note: z.string().trim().max(200).default(''),
    enabled: z.boolean().default(true),
    rev: z.int().optional(),
  }),
  response: z.object({ data: WordGroupSchema }),
  errors: ['data.missing', 'data.conflict', 'input.invalid', 'quota.reached'],
})

export const deleteWordGroup = endpoint({
  method: 'POST',
  path: '/api/compliance/words/groups/delete/',
  summary: 'Delete a list with its words; a built-in one can only be switched off',
  access: ['rule.edit'],
  body: z.object({ id: groupId }),
  response: z.object({}),
  errors: ['data.missing', 'input.invalid'],
})

export const sensitiveWords = endpoint({
  method: 'GET',
  path: '/api/compliance/words/',
  summary: 'Words of a list, or of all (group empty), by word',
  access: ['rule.edit'],
  query: z.object({ group: z.union([z.literal(''), groupId]).default(''), search, offset, limit }),
  response: z.object({
    data: z.array(z.object({ group: z.string(), word: z.string(), by: z.string(), added_at: z.number() })),
    total: z.number(),
  }),
})

const wordLines = z.array(z.string().max(WORD_LIMITS.word * 4)).max(1000)

const ProblemSchema = z.object({
  /** Line of the file, or number of the word, from 1. */
  line: z.number(),
  value: z.string(),
  reason: z.enum(['long', 'short', 'characters', 'columns', 'repeated', 'known']),
})

export type WordProblem = z.infer<typeof ProblemSchema>

export const changeWords = endpoint({
  method: 'POST',
  path: '/api/compliance/words/change/',
  summary: 'Add words to a list and take words out of it; what cannot be added is named',
  access: ['rule.edit'],
  body: z.object({ group: groupId, add: wordLines.default([]), remove: wordLines.default([]) }),
  response: z.object({ added: z.number(), removed: z.number(), problems: z.array(ProblemSchema) }),
  errors: ['data.missing', 'quota.reached'],
})

export const importWords = endpoint({
  method: 'POST',
  path: '/api/compliance/words/import/',
  summary:
    'Import a text file (a word a line, into `group`) or a CSV (list, word; unknown lists are made); `dry` only says what would come of it',
  access: ['rule.edit'],
  body: z.object({
    format: z.enum(['txt', 'csv']),
    content: z.string().max(WORD_LIMITS.import),
    /** Of a text file. */
    group: groupId.optional(),
    dry: z.boolean().default(false),
  }),
  response: z.object({
    added: z.number(),
    /** Lists that are new. */
    groups: z.array(z.string()),
    lines: z.number(),
    problems: z.array(ProblemSchema),
    /** All problems; `problems` names the first ones. */
    problem_count: z.number(),
  }),
  errors: ['data.missing', 'input.invalid', 'quota.reached'],
})

export const exportWords = endpoint({
  method: 'GET',
  path: '/api/compliance/words/export/',
  summary: 'One list or all (group empty) as CSV, or one as a text file: what an import takes',
  access: ['rule.edit'],
  navigation: true,
  bare: true,
  query: z.object({
    group: z.union([z.literal(''), groupId]).default(''),
    format: z.enum(['csv', 'txt']).default('csv'),
  }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const WORD_FORMS = {
  as_written: { zh: '原样', en: 'As written' },
  case: { zh: '大小写', en: 'Case' },
  width: { zh: '全角', en: 'Full width' },
  traditional: { zh: '繁体', en: 'Traditional' },
  homoglyph: { zh: '形近字母', en: 'Look-alike letters' },
  separators: { zh: '夹杂符号', en: 'Separators' },
  pinyin: { zh: '拼音', en: 'Pinyin' },
} as const

export type WordFormKey = keyof typeof WORD_FORMS

export const tryWords = endpoint({
  method: 'POST',
  path: '/api/compliance/words/try/',
  summary: 'Which enabled words a text holds, in which form and where: what a detection would find in it',
  access: ['rule.edit', 'asset.detect'],
  audit: false,
  body: z.object({ text: z.string().max(WORD_LIMITS.text) }),
  response: z.object({
    data: z.array(
      z.object({
        group: TextSchema,
        word: z.string(),
        form: z.enum(Object.keys(WORD_FORMS) as [WordFormKey, ...WordFormKey[]]),
        from: z.number(),
        to: z.number(),
      }),
    ),
    total: z.number(),
  }),
})
