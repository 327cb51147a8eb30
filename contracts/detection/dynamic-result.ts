import { z } from 'zod'

/** What was seen of an application on a phone (engines/detect/result/dynamic-result.ts), as schemas with limits. */

const name = z.string().max(2000)
const at = z.number().min(-86_400_000).max(86_400_000)
const count = z.number().int().min(0)
const list = <T extends z.ZodType>(item: T, most: number) => z.array(item).max(most).readonly()
const text = z.object({ zh: name, en: name })
const protocol = z.enum(['tcp', 'udp'])

export const DynamicResultSchema = z.object({
  phone: z.object({ serial: name, model: name, maker: name, release: name, sdk: count }),
  run: z.object({
    complete: z.boolean(),
    install: z.enum(['fresh', 'present']),
    tidied: z.boolean(),
    firstInput: at.nullable(),
    length: at,
    inputs: count,
    logLines: count,
    privateFiles: z.boolean(),
  }),
  moments: list(
    z.object({
      at,
      kind: z.enum(['start', 'permission_dialog', 'first_input', 'activity', 'crash', 'unplugged', 'end']),
      what: name,
    }),
    500,
  ),
  permissions: list(
    z.object({ name, before: z.boolean().nullable(), after: z.boolean().nullable(), byUs: z.boolean() }),
    1000,
  ),
  uses: list(
    z.object({
      op: name,
      name: text,
      personal: z.boolean(),
      first: at.nullable(),
      last: at.nullable(),
      refused: at.nullable(),
      beforeInput: z.boolean(),
    }),
    500,
  ),
  destinations: list(
    z.object({
      protocol,
      address: name,
      port: count,
      host: name.nullable(),
      country: z.string().max(2),
      where: z.enum(['local', 'home', 'abroad', 'unknown']),
      first: at,
      samples: count,
      beforeInput: z.boolean(),
      cleartext: z.boolean(),
    }),
    1000,
  ),
  listening: list(z.object({ protocol, address: name, port: count, loopback: z.boolean(), first: at }), 500),
  incidents: list(
    z.object({
      kind: z.enum(['crash', 'native_crash', 'not_responding', 'strict_mode']),
      at,
      process: name,
      headline: name,
      lines: list(name, 60),
      activity: name.nullable(),
    }),
    200,
  ),
  leaks: list(
    z.object({
      source: z.enum(['log', 'file']),
      kind: name,
      name: text,
      where: name,
      area: z.enum(['log', 'private', 'app_external', 'shared']),
      value: name,
      line: name,
      at: at.nullable(),
    }),
    500,
  ),
  files: list(
    z.object({
      path: name,
      area: z.enum(['private', 'app_external', 'shared']),
      change: z.enum(['new', 'changed']),
      size: count,
      mode: z.string().max(8),
    }),
    2000,
  ),
  processes: list(z.object({ name, first: at, last: at }), 200),
  activities: list(z.object({ name, outcome: z.enum(['opened', 'crashed', 'refused']), detail: name }), 200),
  screenshots: list(
    z.object({
      file: z.string().regex(/^[0-9a-f]{64}$/),
      at,
      width: count,
      height: count,
      when: z.enum(['untouched', 'exercise', 'end']),
    }),
    20,
  ),
})
export type DynamicResult = z.infer<typeof DynamicResultSchema>
