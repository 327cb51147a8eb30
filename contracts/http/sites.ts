import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Sites, the ends of the arcs on the maps (decision 20). */

const ok = z.object({})

export const SiteSchema = z.object({
  /** Digits: the number of the site in events, frames and queries. */
  id: z.string(),
  name: z.string(),
  name_en: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  /** Taken from a browser's time zone by scene construction, and not confirmed: saving it does that. */
  assumed: z.boolean(),
})

export type Site = z.infer<typeof SiteSchema>

export const siteList = endpoint({
  method: 'GET',
  path: '/api/platform/sites/',
  summary: 'Own sites: where arcs end',
  access: 'session',
  tokens: { display: true },
  response: z.object({ data: z.array(SiteSchema) }),
})

export const saveSite = endpoint({
  method: 'POST',
  path: '/api/platform/sites/save/',
  summary: 'Create (no id) or change a site',
  access: ['platform.settings'],
  body: z.object({
    id: z.string().optional(),
    name: z.string().trim().min(1).max(40),
    name_en: z.string().trim().max(40).default(''),
    longitude: z.number().min(-180).max(180),
    latitude: z.number().min(-85).max(85),
  }),
  response: z.object({ data: SiteSchema }),
  errors: ['data.missing'],
})

export const deleteSite = endpoint({
  method: 'POST',
  path: '/api/platform/sites/delete/',
  summary: 'Delete a site; applications that named it have none',
  access: ['platform.settings'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing'],
})
