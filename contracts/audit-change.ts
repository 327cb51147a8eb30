import { z } from 'zod'

/** One field that a change gave another value. Values as JSON; null where the field was or became absent. */
export const AuditChangeSchema = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** A password, key or the like: that it changed is recorded, its values are not. */
  secret: z.literal(true).optional(),
})
export type AuditChange = z.infer<typeof AuditChangeSchema>
