import { config } from 'zod'

// Imported before any schema is made. Without it zod tries on each page to compile schemas, which the content policy forbids; the refused try takes 60 ms.
config({ jitless: true })
