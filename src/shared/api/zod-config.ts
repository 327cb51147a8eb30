import { config } from 'zod'

// Before any schema is made: each page would try to compile schemas, which its content policy forbids, and the refusal takes 60 ms.
config({ jitless: true })
