import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Who reads any of the lists that views are of. */
export const MAY_KEEP_VIEWS = ['events.read', 'asset.read', 'detect.view'] as const

/** A page's whole view state as its address search, under a name. */
export const SavedViewSchema = z.object({
  id: z.string(),
  /** Page name of contracts/pages.ts. */
  page: z.string(),
  name: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  owner: z.string(),
  search: z.string(),
  version: z.number(),
  updated_at: z.number(),
})

export type SavedView = z.infer<typeof SavedViewSchema>

export const savedViews = endpoint({
  method: 'GET',
  path: '/api/views/',
  summary: 'Own and team views of a page',
  access: MAY_KEEP_VIEWS,
  query: z.object({ page: z.string().max(40).optional() }),
  response: z.object({ data: z.array(SavedViewSchema) }),
})

export const saveView = endpoint({
  method: 'POST',
  path: '/api/views/save/',
  summary: 'Create (no id) or change a view; sharing needs view.share',
  access: MAY_KEEP_VIEWS,
  body: z.object({
    id: z.string().optional(),
    page: z.string().max(40),
    name: z.string().trim().min(1).max(64),
    shared: z.boolean().default(false),
    search: z.string().max(4000),
    version: z.int().optional(),
  }),
  response: z.object({ data: SavedViewSchema }),
  errors: ['data.missing', 'data.conflict', 'permission.missing'],
})

export const deleteView = endpoint({
  method: 'POST',
  path: '/api/views/delete/',
  summary: 'Delete an own view (or a team view with view.share)',
  access: MAY_KEEP_VIEWS,
  body: z.object({ id: z.string() }),
  response: z.object({}),
  errors: ['data.missing', 'permission.missing'],
})
