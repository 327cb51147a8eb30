import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** Apart from the tasks, so that a wall loads no more than it shows. */
export const piratedPlaces = endpoint({
  method: 'GET',
  path: '/api/monitor/pirated-places/',
  summary:
    'Devices that report the certificate of a pirated copy, of all applications that the caller may see, by place over the last 30 days; also for walls whose maker may see monitoring',
  access: ['monitor.view'],
  tokens: { display: true },
  response: z.object({
    devices: z.number(),
    /** Applications that have pirated copies with a certificate of their own. */
    apps: z.number(),
    from: z.number(),
    to: z.number(),
    /** The most first; '' where a place is not known. */
    places: z.array(z.object({ country: z.string(), province: z.string(), devices: z.number() })),
  }),
  errors: ['server.store_down'],
})
