import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The home page: what each module has to say, and what this account worked on last. Events are asked with the statistics endpoint. */

const TextSchema = z.object({ zh: z.string(), en: z.string() })

/** Figures of each module, in the order of the page. */
export const HOME_FIGURES = {
  assets: ['files', 'unreinforced', 'applications'],
  detection: ['running', 'high', 'middle', 'failedGate', 'examined'],
  alerts: ['unacknowledged', 'critical', 'today'],
  policies: ['running', 'paused', 'drafts'],
  cases: ['open', 'own'],
  jobs: ['running', 'failed'],
  licence: ['days', 'applications', 'allowed'],
} as const
export type HomeModule = keyof typeof HOME_FIGURES
export const HOME_MODULES = Object.keys(HOME_FIGURES) as HomeModule[]

/** null: not known or without limit. */
const FiguresSchema = z.record(z.string(), z.number().nullable())

export const homeOverview = endpoint({
  method: 'GET',
  path: '/api/home/',
  summary:
    'The state of each module that the caller may see, in figures within his scope, and the tasks, cases and results that he worked on last; a module that cannot be read says so alone',
  access: 'session',
  response: z.object({
    modules: z.array(
      z.object({
        module: z.enum(HOME_MODULES as [HomeModule, ...HomeModule[]]),
        /** null: it could not be read. */
        figures: FiguresSchema.nullable(),
      }),
    ),
    recent: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['detection', 'case', 'report', 'export']),
        title: z.string(),
        note: TextSchema,
        /** Path, or '' where nothing is left to open. */
        to: z.string(),
        at: z.number(),
      }),
    ),
    at: z.number(),
  }),
})
