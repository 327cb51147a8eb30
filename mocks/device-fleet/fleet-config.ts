import { z } from 'zod'
import { SCENARIOS } from './scenarios.ts'

/** The fleet's configuration, as JSON in its first argument or as flags (`--url … --rate 50 --scenario flood --app 3,aw_sk_…,android`). */
const FleetConfigSchema = z.strictObject({
  url: z.url(),
  apps: z
    .array(
      z.strictObject({
        appid: z.string(),
        /** Server key with the scope events. */
        key: z.string(),
        /** Server key with the scope import: history too. */
        importKey: z.string().optional(),
        /** Public enrolment key: a few phones sign for themselves. */
        enrolmentKey: z.string().optional(),
        platform: z.enum(['android', 'ios']),
        name: z.string().default(''),
      }),
    )
    .min(1)
    .max(16),
  rate: z.number().min(0.1).max(100_000).default(10),
  seed: z.int().default(20_261_121),
  scenario: z.enum(SCENARIOS).default('normal'),
  phones: z.int().min(100).max(500_000).default(40_000),
  /** Ends by itself after so long. */
  seconds: z.number().positive().optional(),
  /** SHA-256 of the certificate that repackaged builds report; absent: one of the seed. */
  pirateSigner: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Now and then an attack in one province. */
  spikes: z.boolean().default(false),
  /** History to send (history-plan.ts). */
  history: z
    .strictObject({ days: z.number().min(0).max(30).default(14), averageRate: z.number().min(0.1).default(10) })
    .optional(),
  /** Folder where progress and enrolments are kept between starts. */
  folder: z.string().optional(),
})
export type FleetConfig = z.infer<typeof FleetConfigSchema>

/** Throws ZodError or SyntaxError with what is wrong. */
export function readFleetConfig(args: readonly string[]): FleetConfig {
  if (args[0]?.startsWith('{')) return FleetConfigSchema.parse(JSON.parse(args[0]))
  const flags: Record<string, unknown> = {}
  const apps: unknown[] = []
  for (let index = 0; index + 1 < args.length; index += 2) {
    const [name, value] = [(args[index] as string).replace(/^--/, ''), args[index + 1] as string]
    if (name === 'app') {
      const [appid, key, platform = 'android', importKey] = value.split(',')
      apps.push({ appid, key, platform, ...(importKey ? { importKey } : {}) })
    } else if (name === 'days') flags['history'] = { days: Number(value) }
    else flags[name] = ['rate', 'seed', 'seconds', 'phones'].includes(name) ? Number(value) : value
  }
  return FleetConfigSchema.parse({ ...flags, apps })
}
