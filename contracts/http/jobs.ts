import { z } from 'zod'
import { JobSchema } from '../jobs.ts'
import { endpoint } from './endpoint.ts'

export const jobs = endpoint({
  method: 'GET',
  path: '/api/jobs/',
  summary: 'Own jobs, newest first',
  access: 'session',
  response: z.object({ data: z.array(JobSchema) }),
})

export const cancelJob = endpoint({
  method: 'POST',
  path: '/api/jobs/cancel/',
  summary: 'Stop a waiting or running job of one`s own',
  access: 'session',
  body: z.object({ id: z.string() }),
  response: z.object({ job: JobSchema }),
  errors: ['data.missing'],
})

export const downloadJob = endpoint({
  method: 'GET',
  path: '/api/jobs/download/',
  summary: 'The file a finished job made',
  access: 'session',
  navigation: true,
  bare: true,
  query: z.object({ id: z.string() }),
  response: z.unknown(),
  errors: ['data.missing'],
})
