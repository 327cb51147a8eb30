import { z } from 'zod'
import { JobSchema } from '../jobs.ts'
import { HashSchema } from './devices.ts'
import { endpoint } from './endpoint.ts'

const ErasureSchema = z.object({
  id: z.string(),
  kind: z.enum(['device', 'user']),
  /** The first characters of the hash. */
  subject: z.string(),
  /** Of the applications it covered, those that the caller sees. */
  appids: z.array(z.string()),
  by: z.string(),
  asked_at: z.number(),
  done_at: z.number().nullable(),
  /** What was deleted in all applications it covered; null where the caller does not see all of them. */
  events: z.number().nullable(),
  quarantined: z.number().nullable(),
  installs: z.number().nullable(),
  verdicts: z.number().nullable(),
})

export const erasePersonal = endpoint({
  method: 'POST',
  path: '/api/personal/erase/',
  summary: 'Delete everything about one device or user in the applications that the caller sees, as a job',
  access: ['personal.erase'],
  tokens: { access: false },
  body: z.object({
    kind: z.enum(['device', 'user']),
    subject: HashSchema,
    /** The first eight characters of the hash, typed by hand. */
    confirm: z.string().max(64),
  }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'input.invalid'],
})

export const erasures = endpoint({
  method: 'GET',
  path: '/api/personal/erasures/',
  summary: 'What was deleted on request in applications that the caller sees, newest first',
  access: ['personal.erase'],
  response: z.object({ data: z.array(ErasureSchema) }),
})
